// The stamps of one log, as core/algorithm/stamps.ts has them. A sorted set keeps every attempt (ALG-C2): two
// of one moment are two members. A bounded log is a row of its newest, at a twelfth of the bytes (ALG-C9).

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
 * Eight bytes a stamp, oldest first, behind the bound: the largest rate that has used this log. It is read and
 * written whole, which for a few hundred stamps is cheaper than a second command.
 */
export const ROW = /* lua */ `
do
  local R = {}
  stores[2] = R
  -- Of a log in use: its text, how many stamps, and the newest of them.
  local function stampAt(log, place) return (unpacked('<d', log.text, place * 8 + 1)) end
  local function newestIn(log) return log.count == 0 and -HUGE or stampAt(log, log.count) end
  function R.read(text, key, level)
    local log = {
      key = key, write = R.write, store = R, ms = false, keep = level.keep,
      bound = 0, text = text or pack('<d', 0), count = 0, top = -HUGE,
    }
    if text then
      log.bound = unpacked('<d', text)
      log.count = #text / 8 - 1
      log.top = newestIn(log)
      -- What a smoothed log lives by changes with its allowance.
      log.before = not level.isSmoothed and log.top or nil
    end
    return log
  end
  function R.write(log) written(log, log.text, log.before, log.top) end
  function R.count(log) return log.count end
  function R.newest(log, k)
    if k == 1 then
      return log.top
    end
    return k > log.count and -HUGE or stampAt(log, log.count - k + 1)
  end
  -- What stands between two stamps goes, another may come instead.
  local function replace(log, from, upTo, by)
    local text = log.text
    log.text = string.sub(text, 1, from * 8 + 8) .. by .. string.sub(text, upTo * 8 + 9)
    log.count = #log.text / 8 - 1
    log.top = newestIn(log)
    touch(log, log.keep)
  end
  -- How many are held at or before a moment.
  local function countUpTo(log, upTo)
    local low, high = 0, log.count
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
  function R.prune(log, upTo)
    if log.count > 0 and stampAt(log, 1) <= upTo then
      replace(log, 0, countUpTo(log, upTo), '')
    end
  end
  function R.countAfter(log, after) return log.count - countUpTo(log, after) end
  function R.insert(log, at, own)
    if at >= log.top then
      log.text, log.count, log.top = log.text .. pack('<d', at), log.count + 1, at
      touch(log, log.keep)
    else
      local before = countUpTo(log, at)
      replace(log, before, before, pack('<d', at))
    end
    if own > log.bound then
      log.bound = own
      log.text = pack('<d', own) .. string.sub(log.text, 9)
    end
    if log.count > log.bound then
      replace(log, 0, log.count - log.bound, '')
    end
  end
  function R.remove(log, at)
    local upTo = countUpTo(log, at)
    if upTo > 0 and stampAt(log, upTo) == at then
      replace(log, upTo - 1, upTo, '')
    end
  end
end
`;
