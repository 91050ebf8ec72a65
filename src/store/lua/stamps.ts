// The stamps of one log, as core/algorithm/stamps.ts has them. A sorted set keeps every attempt (ALG-C2): two
// of one moment are two members. A list keeps the newest of a bounded log at a tenth of the bytes (ALG-C9).

export const SORTED_SET = /* lua */ `
do
  local Z = {}
  stores[1] = Z
  -- Of a log in use: how many, its newest, and a moment before which nothing is held; each once it is known.
  function Z.count(log)
    if log.count == nil then
      log.count = call('ZCARD', log.key)
    end
    return log.count
  end
  function Z.newest(log, k)
    if k == 1 and log.top ~= nil then
      return log.top
    end
    if log.count ~= nil and k > log.count then
      return -HUGE
    end
    local stamp = tonumber(call('ZREVRANGE', log.key, k - 1, k - 1, 'WITHSCORES')[2]) or -HUGE
    if k == 1 then
      log.top = stamp
    end
    return stamp
  end
  function Z.prune(log, upTo)
    if log.floor ~= nil and upTo <= log.floor then
      return
    end
    local gone = call('ZREMRANGEBYSCORE', log.key, '-inf', upTo)
    log.floor = upTo
    if gone > 0 then
      log.count = log.count ~= nil and log.count - gone or nil
      if log.top ~= nil and log.top <= upTo then
        log.top = -HUGE
      end
    end
  end
  function Z.countAfter(log, after)
    if log.floor ~= nil and after <= log.floor then
      return Z.count(log)
    end
    return call('ZCOUNT', log.key, string.format('(%.0f', after), '+inf')
  end
  function Z.insert(log, at)
    added = added + 1
    call('ZADD', log.key, at, nonce .. added)
    log.count = log.count ~= nil and log.count + 1 or nil
    log.top = log.top ~= nil and max(log.top, at) or nil
    if log.floor ~= nil and at <= log.floor then
      log.floor = at - 1
    end
  end
  function Z.remove(log, at)
    local member = call('ZRANGEBYSCORE', log.key, at, at, 'LIMIT', 0, 1)[1]
    if member ~= nil then
      call('ZREM', log.key, member)
      log.count = log.count ~= nil and log.count - 1 or nil
      log.top = nil
    end
  end
end
`;

/**
 * In front of the stamps, oldest first, stands the bound: -1 - the largest rate that has used this log, and so
 * below every stamp. What falls out takes its place, which is then written over.
 */
export const LIST = /* lua */ `
do
  local L = {}
  stores[2] = L
  local function opened(log)
    if log.count == nil then
      log.count = max(0, call('LLEN', log.key) - 1)
      log.bound = -1 - (tonumber(call('LINDEX', log.key, 0) or false) or -1)
    end
    return log.count
  end
  L.count = opened
  local function stampAt(log, index) return tonumber(call('LINDEX', log.key, index)) end
  function L.newest(log, k)
    if k > opened(log) then
      return -HUGE
    end
    if k == 1 then
      log.top = log.top or stampAt(log, -1)
      return log.top
    end
    return stampAt(log, -k)
  end
  local function drop(log, count)
    call('LTRIM', log.key, count, -1)
    call('LSET', log.key, 0, -1 - log.bound)
    log.count = log.count - count
    log.oldest = nil
    if log.count == 0 then
      log.top = nil
    end
  end
  -- How many are held at or before a moment; they stand in order.
  local function countUpTo(log, upTo)
    local low, high = 0, opened(log)
    while low < high do
      local middle = floor((low + high) / 2)
      if stampAt(log, middle + 1) > upTo then
        high = middle
      else
        low = middle + 1
      end
    end
    return low
  end
  function L.prune(log, upTo)
    if opened(log) == 0 then
      return
    end
    log.oldest = log.oldest or stampAt(log, 1)
    if log.oldest <= upTo then
      drop(log, countUpTo(log, upTo))
    end
  end
  function L.countAfter(log, after) return opened(log) - countUpTo(log, after) end
  function L.insert(log, at, own)
    local count = opened(log)
    if count == 0 and log.bound == 0 then
      log.bound = own
      call('DEL', log.key)
      call('RPUSH', log.key, -1 - own, at)
    elseif at >= L.newest(log, 1) then
      call('RPUSH', log.key, at)
      log.top = at
    else
      local before = countUpTo(log, at)
      call('LINSERT', log.key, 'BEFORE', call('LINDEX', log.key, before + 1), at)
      log.oldest = nil
    end
    log.count = count + 1
    if own > log.bound then
      log.bound = own
      call('LSET', log.key, 0, -1 - own)
    end
    if log.count > log.bound then
      drop(log, log.count - log.bound)
    end
  end
  function L.remove(log, at)
    if call('LREM', log.key, -1, at) == 1 then
      log.count = log.count ~= nil and log.count - 1 or nil
      log.top, log.oldest = nil, nil
    end
  end
end
`;
