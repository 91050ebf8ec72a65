// The log-based limiters, as in plain-log.ts, smoothed-log.ts, sentinel.ts and core/smoothing.ts.

/** What all of them share: how long until a window has room, and how a log is written. */
export const LOG = /* lua */ `
function stores.expire(log)
  if log.ms < 0 then
    call('PERSIST', log.key)
  else
    call('PEXPIRE', log.key, log.ms)
  end
end
local function waitUnwritten(log, k, per, at)
  return k < 1 and HUGE or max(0, log.store.newest(log, k) + per - at)
end
local function waitForNext(log, k, per, at)
  if k < 1 then
    return HUGE
  end
  local kth = log.store.newest(log, k) -- first: the one above comes with it
  local before = k == 1 and HUGE or log.store.newest(log, k - 1)
  return max(0, max(kth, min(before, at)) + per - at)
end
local function waitWritten(log, k, per, at)
  return waitUnwritten(log, k, per, at) == 0 and 0 or waitForNext(log, k, per, at)
end
local function countedAt(one, at)
  return one.log.store.countAfter(one.log, at - one.level.per)
end
local function write(one, at)
  one.log.store.insert(one.log, at, one.level.bound)
  touch(one.log, one.level.keep)
end
local function fullUs(one, at)
  return max(at, one.log.store.newest(one.log, 1) + one.level.per)
end
local function removeStamp(one, at) one.log.store.remove(one.log, at) end
local function removeAll(one) one.log.store.clear(one.log) end
local function auxiliary(text, key, write)
  local value, hold, last, mark = 0, 0, 0, 0
  if text then
    value, hold, last, mark = unpacked('<dddd', text)
  end
  return {
    key = key, write = write, ms = false, value = value, hold = hold, last = last, mark = mark,
  }
end
local function writeAuxiliary(state)
  written(state, pack('<dddd', state.value, state.hold, state.last, state.mark))
end
`;

export const PLAIN_LOG = /* lua */ `
kinds[4] = {
  judge = function(one, at, isWritten)
    local level, log = one.level, one.log
    log.store.prune(log, at - level.per)
    return (isWritten and waitWritten or waitUnwritten)(log, level.capacity, level.per, at)
  end,
  spend = function(one, index, at)
    write(one, at)
    local level, log = one.level, one.log
    local left = level.capacity - log.store.count(log)
    local leaves = log.store.newest(log, left > 0 and 1 or level.capacity)
    offer(one, index, level.capacity, left, leaves + level.per)
  end,
  writeRefused = write,
  limit = function(one) return one.level.capacity end,
  left = function(one) return max(0, one.level.capacity - one.log.store.count(one.log)) end,
  fullUs = fullUs,
  nextWait = function(one, at)
    return waitUnwritten(one.log, one.level.capacity, one.level.per, at)
  end,
  giveBack = removeStamp,
  reset = removeAll,
}
`;

/** Allowances are whole millionths. A record without one holds zero, which no allowance ever is. */
export const SMOOTHING = /* lua */ `
local MILLIONTHS = 1000000
local function whole(value) return floor(value / MILLIONTHS) end
local function noted(list, up, at, value)
  list[#list + 1] = { up = up, at = at, value = value }
end
local function settled(one, at)
  local level, kept, log = one.level, one.state, one.log
  local per, delay, threshold = level.per, level.delay, level.threshold
  local list = {}
  if kept.value == 0 then
    return { value = threshold, hold = at + delay, last = at, list = list }
  end
  local value, hold = kept.value, kept.hold
  while hold <= at and hold > kept.last and value > threshold do
    local r = log.store.countAfter(log, hold - per) - log.store.countAfter(log, hold)
    if value - r * MILLIONTHS <= level.fall then
      break
    end
    value = max(value - level.step, threshold)
    noted(list, -1, hold, value)
    hold = hold + delay
  end
  if value == threshold and at - kept.last >= max(per, 2 * delay) then
    return { value = threshold, hold = at + delay, last = at, list = list }
  end
  local bounded = min(max(value, threshold), level.ceiling)
  local isCut = bounded ~= value
  if isCut then
    noted(list, bounded > value and 1 or -1, at, bounded)
    hold = at + delay
  end
  return { value = bounded, hold = hold, last = kept.last, list = list, isCut = isCut }
end
local function allowanceBehind(one, at)
  local level, moved = one.level, settled(one, at)
  if moved.isCut or moved.hold > at then
    return moved
  end
  local distance = moved.value - (countedAt(one, at) + 1) * MILLIONTHS
  local value = moved.value
  if distance < level.rise then
    value = min(value + level.step, level.ceiling)
  elseif distance > level.fall then
    value = max(value - level.step, level.threshold)
  end
  if value ~= moved.value then
    noted(moved.list, value > moved.value and 1 or -1, at, value)
    moved.value, moved.hold = value, at + level.delay
  end
  return moved
end
local function wholeKept(one)
  return whole(one.state.value == 0 and one.level.threshold or one.state.value)
end
-- Above the threshold falls are still to be told, and the stamps that say so must not go before.
local function keep(one, moved, at, index)
  local level, state = one.level, one.state
  state.value, state.hold, state.last = moved.value, moved.hold, max(moved.last, at)
  local ms = state.value > level.threshold and level.long or level.keep
  touch(state, ms)
  touch(one.log, ms)
  if #moved.list > 0 then
    changes = moved.list
    for i = 1, #changes do
      changes[i].index = index
    end
  end
end
local function moveAllowance(one, at)
  keep(one, allowanceBehind(one, at), at, 0)
  allowance = wholeKept(one)
end
local function waitUnder(one, moved, at, isWritten)
  local level, log = one.level, one.log
  local now = (isWritten and waitWritten or waitUnwritten)(log, whole(moved.value), level.per, at)
  if now == 0 then
    return 0
  end
  local above = whole(min(moved.value + level.step, level.ceiling))
  local raised = (isWritten and waitForNext or waitUnwritten)(log, above, level.per, at)
  return min(now, max(moved.hold - at, raised))
end
local function writeAndMove(one, at, index)
  write(one, at)
  keep(one, one.moved, at, index)
  one.log.store.prune(one.log, at - one.level.per)
end
kinds[5] = {
  read = auxiliary,
  write = writeAuxiliary,
  judge = function(one, at, isWritten)
    one.moved = (isWritten and allowanceBehind or settled)(one, at)
    return waitUnder(one, one.moved, at, isWritten)
  end,
  spend = function(one, index, at)
    writeAndMove(one, at, index)
    tell(one, index, at)
  end,
  writeRefused = writeAndMove,
  limit = wholeKept,
  left = function(one, at) return max(0, wholeKept(one) - countedAt(one, at)) end,
  fullUs = fullUs,
  nextWait = function(one, at) return waitUnder(one, settled(one, at), at, false) end,
  giveBack = removeStamp,
  reset = removeAll,
  allowance = moveAllowance,
}
`;

export const SENTINEL = /* lua */ `
do
  local function allowed(one)
    return one.level.isSmoothed and wholeKept(one) or one.level.capacity
  end
  local function leftOf(one, at) return max(0, allowed(one) - countedAt(one, at)) end
  local function nextWait(one, at)
    local level = one.level
    return level.fixedMark and level.per or waitForNext(one.log, allowed(one), level.per, at)
  end
  kinds[6] = {
    read = auxiliary,
    write = writeAuxiliary,
    judge = function(one, at, isWritten)
      local level, mark = one.level, one.state.mark
      if level.capacity < 1 then
        return HUGE
      end
      if mark <= at then
        return 0
      end
      if not isWritten or level.fixedMark then
        return mark - at
      end
      local k = level.isSmoothed and whole(allowanceBehind(one, at).value) or level.capacity
      return max(1, waitForNext(one.log, k, level.per, at))
    end,
    spend = function(one, index, at)
      local left = max(0, leftOf(one, at) - 1)
      local full
      if left > 0 then
        full = max(fullUs(one, at), at + one.level.per)
      else
        full = at + nextWait(one, at)
      end
      tellLeft(one, index, left, full)
    end,
    writeRefused = function() end,
    limit = allowed,
    left = leftOf,
    fullUs = fullUs,
    nextWait = nextWait,
    giveBack = removeStamp,
    reset = function(one)
      local level, state = one.level, one.state
      removeAll(one)
      state.mark = 0
      touch(state, state.value > level.threshold and level.long or level.keep)
    end,
    allowance = moveAllowance,
    mark = function(one, at)
      local level, log, state = one.level, one.log, one.state
      if level.isSmoothed then
        keep(one, allowanceBehind(one, at), at, 0)
      end
      log.store.prune(log, at - level.per)
      write(one, at)
      local k = allowed(one)
      local kth = k < 1 and HUGE or log.store.newest(log, k)
      if level.fixedMark then
        if kth > 0 and state.mark <= at then
          state.mark = at + level.per
        end
      else
        state.mark = kth > 0 and kth + level.per or 0
      end
      touch(state, state.mark == HUGE and level.long or level.keep)
    end,
  }
end
`;
