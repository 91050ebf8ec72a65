// The log-based limiters, as in sliding-log/memory.ts, sentinel/memory.ts, store/smoothed-log.ts and core/smoothing.ts.

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
-- A mark and what it was written under, which is below zero where nothing was; then the allowance, if there is one.
local function auxiliary(text, key, write)
  local mark, under, value, hold, last, absent = 0, -1, 0, 0, 0, 0
  if text then
    mark, under = unpacked('<dd', text)
    if #text > 16 then
      value, hold, last, absent = unpacked('<dddd', text, 17)
    end
  end
  return {
    key = key, write = write, ms = false, mark = mark, under = under,
    value = value, hold = hold, last = last, absent = absent,
  }
end
local function writeAuxiliary(state)
  if state.value == 0 then
    written(state, pack('<dd', state.mark, state.under))
  else
    local value, hold, last, absent = state.value, state.hold, state.last, state.absent
    written(state, pack('<dddddd', state.mark, state.under, value, hold, last, absent))
  end
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
local function bounded(level, value) return min(max(value, level.threshold), level.ceiling) end
local function idle(level) return max(level.per, 2 * level.delay) end
-- When the next fall is due, if that is before now; else any time that is not. The log is asked last, and of an empty
-- window only once.
local function nextFall(one, value, hold, at)
  local level, log, kept = one.level, one.log, one.state
  local due = max(hold, kept.last + 1)
  if due >= at then
    return due
  end
  local newest = log.store.newest(log, 1)
  due = max(due, newest + 1)
  if newest + level.per > due then
    local enough = max(0, ceil((value - level.fall) / MILLIONTHS) - 2)
    due = max(due, log.store.newest(log, enough + 1) + level.per)
  end
  return due
end
local function settled(one, at)
  local level, kept = one.level, one.state
  local delay, threshold = level.delay, level.threshold
  local list = {}
  if kept.value == 0 or at >= kept.absent then
    return { value = threshold, hold = at + delay, last = at, list = list }
  end
  local value, hold = min(kept.value, level.ceiling), kept.hold
  while value > threshold do
    local due = nextFall(one, value, hold, at)
    if due >= at then
      break
    end
    value = max(value - level.step, threshold)
    noted(list, -1, due, value)
    hold = due + delay
  end
  if value == threshold and at - kept.last >= idle(level)
    and at - one.log.store.newest(one.log, 1) >= idle(level) then
    return { value = threshold, hold = at + delay, last = at, list = list }
  end
  if #list == 0 then
    value = kept.value
  end
  local within = bounded(level, value)
  local isCut = within ~= value
  if isCut then
    noted(list, within > value and 1 or -1, at, within)
    hold = at + delay
  end
  return { value = within, hold = hold, last = kept.last, list = list, isCut = isCut }
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
local function wholeStanding(one, at)
  local state, level = one.state, one.level
  local isAbsent = state.value == 0 or at >= state.absent
  return whole(isAbsent and level.threshold or bounded(level, state.value))
end
local function wholeMoved(one) return whole(one.moved.value) end
-- While falls are to be made up, neither the record nor the attempts that decide them may expire. The last write of
-- a call says how long they live, not the longest.
local function lasting(one)
  local level, state = one.level, one.state
  return state.value ~= 0 and state.absent == HUGE and level.long or level.keep
end
local function keep(one, moved, at, index)
  local level, state = one.level, one.state
  state.value, state.hold, state.last = moved.value, moved.hold, max(moved.last, at)
  state.absent = state.value == level.threshold and state.last + idle(level) or HUGE
  local ms = lasting(one)
  touch(state, ms)
  touch(one.log, ms)
  state.ms, one.log.ms = ms, ms
  if #moved.list > 0 then
    changes = moved.list
    for i = 1, #changes do
      changes[i].index = index
    end
  end
end
local function moveAllowance(one, at)
  keep(one, allowanceBehind(one, at), at, 0)
  allowance, resetUs = wholeStanding(one, at), one.state.absent
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
  limit = wholeMoved,
  left = function(one, at) return max(0, wholeMoved(one) - countedAt(one, at)) end,
  fullUs = fullUs,
  nextWait = function(one, at) return waitUnder(one, one.moved, at, false) end,
  giveBack = function(one, at)
    removeStamp(one, at)
    if one.log.ms then
      one.log.ms = lasting(one)
    end
  end,
  reset = removeAll,
  allowance = moveAllowance,
}
`;

export const SENTINEL = /* lua */ `
do
  local function allowed(one, at)
    return one.level.isSmoothed and wholeStanding(one, at) or one.level.capacity
  end
  local function leftOf(one, at) return max(0, allowed(one, at) - countedAt(one, at)) end
  local function nextWait(one, at)
    local level = one.level
    return level.fixedMark and level.per or waitForNext(one.log, allowed(one, at), level.per, at)
  end
  -- By the mark alone, or by the log where the mark was written under another limit.
  local function waitNow(one, at)
    local level, state = one.level, one.state
    if state.under < 0 then
      return 0
    end
    local k = allowed(one, at)
    if level.fixedMark or state.under == k then
      return max(0, state.mark - at)
    end
    return waitUnwritten(one.log, k, level.per, at)
  end
  local function markedUntil(one, at)
    local level, log, state = one.level, one.log, one.state
    local k = allowed(one, at)
    if k < 1 and not level.isSmoothed then
      return 0
    end
    local kth = k < 1 and HUGE or log.store.newest(log, k)
    if not level.fixedMark then
      return max(0, kth + level.per)
    end
    return kth > 0 and state.mark <= at and at + level.per or state.mark
  end
  kinds[6] = {
    read = auxiliary,
    write = writeAuxiliary,
    judge = function(one, at, isWritten)
      local level = one.level
      if level.capacity < 1 then
        return HUGE
      end
      local now = waitNow(one, at)
      if now == 0 or not isWritten or level.fixedMark then
        return now
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
      tellLeft(one, index, left, full, at)
    end,
    writeRefused = function() end,
    limit = allowed,
    left = leftOf,
    fullUs = fullUs,
    nextWait = nextWait,
    giveBack = removeStamp,
    reset = function(one)
      local state = one.state
      removeAll(one)
      if state.under >= 0 then
        state.mark, state.under = 0, -1
        touch(state, lasting(one))
      end
    end,
    allowance = moveAllowance,
    mark = function(one, at)
      local level, log, state = one.level, one.log, one.state
      if level.isSmoothed then
        keep(one, allowanceBehind(one, at), at, 0)
      end
      log.store.prune(log, at - level.per)
      write(one, at)
      state.mark, state.under = markedUntil(one, at), allowed(one, at)
      touch(state, state.mark == HUGE and level.long or lasting(one))
    end,
  }
end
`;
