// The attempts of one log, as in limiter/algorithms/sliding-log/stamps.ts. A sorted set has every attempt; attempts at
// one time are separate entries (ALG-C2). A bounded log is a text with its newest attempts, in a twelfth of the bytes.

export const SORTED_SET = /* lua */ `
do
  local Z = {}
  stores[1] = Z
  -- Of a log in use: its count, its newest, and a time before which it is empty; each set when first read.
  function Z.count(log)
    if log.count == nil then
      log.count = call('ZCARD', log.key)
    end
    return log.count
  end
  -- Reads the one above too: that is when the next request would pass, so that a refusal reads once.
  function Z.newest(log, k)
    if k == 1 and log.top ~= nil then
      return log.top
    end
    if log.count ~= nil and k > log.count then
      return -HUGE
    end
    if k == log.rank then
      return log.atRank
    elseif k + 1 == log.rank then
      return log.above
    end
    if k == 1 then
      log.top = tonumber(call('ZREVRANGE', log.key, 0, 0, 'WITHSCORES')[2]) or -HUGE
      return log.top
    end
    local scores = call('ZREVRANGE', log.key, k - 2, k - 1, 'WITHSCORES')
    log.rank, log.above, log.atRank = k, tonumber(scores[2]) or -HUGE, tonumber(scores[4]) or -HUGE
    return log.atRank
  end
  function Z.prune(log, upTo)
    if log.floor ~= nil and upTo <= log.floor then
      return
    end
    local gone = call('ZREMRANGEBYSCORE', log.key, '-inf', upTo)
    log.floor = upTo
    if gone > 0 then
      log.rank = nil
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
  -- Each unit of an attempt is an entry.
  function Z.insert(log, at, _, units)
    if units == 1 then
      added = added + 1
      call('ZADD', log.key, at, nonce .. added)
    else
      local entries = {}
      for unit = 1, units do
        added = added + 1
        entries[2 * unit - 1], entries[2 * unit] = at, nonce .. added
      end
      call('ZADD', log.key, unpack(entries))
    end
    log.rank = nil
    log.count = log.count ~= nil and log.count + units or nil
    log.top = log.top ~= nil and max(log.top, at) or nil
    if log.floor ~= nil and at <= log.floor then
      log.floor = at - 1
    end
  end
  function Z.remove(log, at, units)
    local entries = call('ZRANGEBYSCORE', log.key, at, at, 'LIMIT', 0, units)
    if #entries > 0 then
      call('ZREM', log.key, unpack(entries))
      log.rank = nil
      log.count = log.count ~= nil and log.count - #entries or nil
      log.top = nil
    end
  end
  function Z.clear(log)
    call('DEL', log.key)
    log.count, log.top, log.floor, log.rank = 0, -HUGE, HUGE, nil
  end
end
`;

/**
 * A bounded log as one text: its bound, which is the largest rate that has used it, and then eight bytes for each
 * attempt, oldest first. The script reads and writes the whole text, which for some hundred attempts costs less than a
 * second command. It holds new attempts in a list, and removed ones as a number, because copying the text for each
 * would cost more. The text of a long log has a negative bound, followed by the number of removed attempts, the number
 * of new attempts, and eight places for these. Then a write changes only these bytes, and the rest is rewritten once in
 * nine writes: Lua hashes every byte of a new text, which for a hundred attempts takes longer than the command.
 */
export const ROW = /* lua */ `
do
  local LONG = 32 -- attempts
  local HEAD, LONG_HEAD, PLACES = 8, 88, 8
  local R = {}
  stores[2] = R
  local function stampAt(log, place)
    local index = log.gone + place
    if index > log.size then
      return log.more[index - log.size]
    end
    return (unpacked('<d', log.text, log.head + index * 8 - 7))
  end
  function R.count(log) return log.size - log.gone + #log.more end
  function R.newest(log, k)
    local count = R.count(log)
    return k > count and -HUGE or stampAt(log, count - k + 1)
  end
  function R.read(text, key, level)
    local log = {
      key = key, write = R.write, store = R, ms = false, keep = level.keep, isLong = false, head = HEAD,
      text = text or '', size = 0, gone = 0, more = {}, bound = 0, before = nil,
    }
    if text then
      log.bound = unpacked('<d', text)
      if log.bound < 0 then
        local _, gone, count = unpacked('<ddd', text)
        if count > 0 then
          log.more = { unpacked('<' .. string.rep('d', count), text, 25) }
          log.more[count + 1] = nil -- where the next would begin
        end
        log.isLong, log.head, log.gone, log.bound = true, LONG_HEAD, gone, -log.bound
      end
      log.size = (#text - log.head) / 8
      -- The expiry of a smoothed log changes with its allowance.
      if not level.isSmoothed then
        log.before = R.newest(log, 1)
      end
    end
    return log
  end
  local function attemptsOf(log)
    local old = string.sub(log.text, log.head + log.gone * 8 + 1)
    return #log.more == 0 and old or old .. pack('<' .. string.rep('d', #log.more), unpack(log.more))
  end
  function R.write(log)
    local ms, new, newest = log.ms, log.more, R.newest(log, 1)
    local count = #new
    if log.isLong and count <= PLACES and isRenewed(ms, log.before, newest) then
      call('SETRANGE', log.key, '0', pack('<ddd' .. string.rep('d', count), -log.bound, log.gone, count, unpack(new)))
      return
    end
    local head
    if R.count(log) < LONG then
      head = pack('<d', log.bound)
    else
      head = pack('<d', -log.bound) .. string.rep('\\0', LONG_HEAD - HEAD)
    end
    writeRecord(log, head .. attemptsOf(log), log.before, newest)
  end
  local function drop(log, count)
    log.gone = log.gone + count
    if log.gone > log.size then
      local rest = {}
      for index = log.gone - log.size + 1, #log.more do
        rest[#rest + 1] = log.more[index]
      end
      log.more, log.gone = rest, log.size
    end
    touch(log, log.keep)
  end
  -- Replaces a part of the attempts.
  local function replace(log, from, upTo, by)
    local text = attemptsOf(log)
    log.text = string.sub(text, 1, from * 8) .. by .. string.sub(text, upTo * 8 + 1)
    log.isLong, log.head, log.size, log.gone, log.more = false, 0, #log.text / 8, 0, {}
    touch(log, log.keep)
  end
  -- Number of attempts at or before a time.
  local function countUpTo(log, upTo)
    local low, high = 0, R.count(log)
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
    if R.count(log) > 0 and stampAt(log, 1) <= upTo then
      drop(log, countUpTo(log, upTo))
    end
  end
  function R.countAfter(log, after) return R.count(log) - countUpTo(log, after) end
  function R.insert(log, at, own, units)
    if at >= R.newest(log, 1) then
      for unit = 1, units do
        log.more[#log.more + 1] = at
      end
      touch(log, log.keep)
    else
      local before = countUpTo(log, at)
      replace(log, before, before, string.rep(pack('<d', at), units))
    end
    log.bound = max(log.bound, own)
    local excess = R.count(log) - log.bound
    if excess > 0 then
      drop(log, excess)
    end
  end
  function R.remove(log, at, units)
    local upTo = countUpTo(log, at)
    local from = upTo
    while from > 0 and upTo - from < units and stampAt(log, from) == at do
      from = from - 1
    end
    if from < upTo then
      replace(log, from, upTo, '')
    end
  end
  function R.clear(log)
    log.isLong, log.text, log.size, log.gone, log.more, log.bound = false, '', 0, 0, {}, 0
    touch(log, log.keep)
  end
end
`;
