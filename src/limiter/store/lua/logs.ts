// The log-based limiters, as in sliding-log/memory.ts, sentinel/memory.ts, limiter/store/smoothed-log.ts and limiter/core/smoothing.ts.

/** The piece that all logs need: the wait until the window has space, and how an attempt is written. */
export const LOG = /* lua */ `
function stores.expire(log)
  if log.ms < 0 then
    call('PERSIST', log.key)
  else
    call('PEXPIRE', log.key, log.ms)
  end
end
local function waitUnwritten(log, k, per, at, units)
  return k < units and HUGE or max(0, log.store.newest(log, k - units + 1) + per - at)
end
local function waitForNext(log, k, per, at, units, next)
  if k < next then
    return HUGE
  end
  local last = k - next + 1
  local leaves = log.store.newest(log, last) -- first: it reads the one above too
  local before = last <= units and HUGE or log.store.newest(log, last - units)
  return max(0, max(leaves, min(before, at)) + per - at)
end
local function waitWritten(log, k, per, at, units)
  return waitUnwritten(log, k, per, at, units) == 0 and 0 or waitForNext(log, k, per, at, units, units)
end
local function attemptsInWindow(one, at)
  return one.log.store.countAfter(one.log, at - one.level.per)
end
local function write(one, at, units)
  one.log.store.insert(one.log, at, one.level.bound, units)
  touch(one.log, one.level.keep)
end
local function writeRefused(one, at, _, units) write(one, at, units) end
local function fullUs(one, at)
  return max(at, one.log.store.newest(one.log, 1) + one.level.per)
end
local function removeStamps(one, at, units) one.log.store.remove(one.log, at, units) end
local function removeAll(one) one.log.store.clear(one.log) end
-- A mark and the limit it was written under, negative without one; then the allowance, if there is one.
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
    writeRecord(state, pack('<dd', state.mark, state.under))
  else
    local value, hold, last, absent = state.value, state.hold, state.last, state.absent
    writeRecord(state, pack('<dddddd', state.mark, state.under, value, hold, last, absent))
  end
end
`;

export const PLAIN_LOG = /* lua */ `
kinds[4] = {
  evaluate = function(one, at, isWritten, units)
    local level, log = one.level, one.log
    log.store.prune(log, at - level.per)
    return (isWritten and waitWritten or waitUnwritten)(log, level.capacity, level.per, at, units)
  end,
  spend = function(one, index, at, units)
    write(one, at, units)
    local level, log = one.level, one.log
    local left = level.capacity - log.store.count(log)
    local leaves = log.store.newest(log, left > 0 and 1 or level.capacity)
    offer(one, index, level.capacity, left, leaves + level.per)
  end,
  writeRefused = writeRefused,
  limit = function(one) return one.level.capacity end,
  left = function(one) return max(0, one.level.capacity - one.log.store.count(one.log)) end,
  fullUs = fullUs,
  nextWait = function(one, at)
    return waitUnwritten(one.log, one.level.capacity, one.level.per, at, 1)
  end,
  giveBack = removeStamps,
  reset = removeAll,
}
`;

/** Allowances are integers in millionths. In a record, 0 means no allowance, because an allowance is never 0. */
export const SMOOTHING = /* lua */ `
local MILLIONTHS = 1000000
local function whole(value) return floor(value / MILLIONTHS) end
local function recordChange(list, up, at, value)
  list[#list + 1] = { up = up, at = at, value = value }
end
local function clamp(level, value) return min(max(value, level.threshold), level.ceiling) end
local function idle(level) return max(level.per, 2 * level.delay) end
-- When the next fall is due, if that is before now; else any later time. The log is read last, and that of an
-- empty window only once.
local function nextFall(one, value, hold, at)
  local level, log, state = one.level, one.log, one.state
  local due = max(hold, state.last + 1)
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
local function settleAllowance(one, at)
  local level, state = one.level, one.state
  local delay, threshold = level.delay, level.threshold
  local list = {}
  if state.value == 0 or at >= state.absent then
    return { value = threshold, hold = at + delay, last = at, list = list }
  end
  local value, hold = min(state.value, level.ceiling), state.hold
  while value > threshold do
    local due = nextFall(one, value, hold, at)
    if due >= at then
      break
    end
    value = max(value - level.step, threshold)
    recordChange(list, -1, due, value)
    hold = due + delay
  end
  if value == threshold and at - state.last >= idle(level)
    and at - one.log.store.newest(one.log, 1) >= idle(level) then
    return { value = threshold, hold = at + delay, last = at, list = list }
  end
  if #list == 0 then
    value = state.value
  end
  local within = clamp(level, value)
  local isCut = within ~= value
  if isCut then
    recordChange(list, within > value and 1 or -1, at, within)
    hold = at + delay
  end
  return { value = within, hold = hold, last = state.last, list = list, isCut = isCut }
end
local function allowanceAfterWrite(one, at, units)
  local level, moved = one.level, settleAllowance(one, at)
  if moved.isCut or moved.hold > at then
    return moved
  end
  local distance = moved.value - (attemptsInWindow(one, at) + units) * MILLIONTHS
  local value = moved.value
  if distance < level.rise then
    value = min(value + level.step, level.ceiling)
  elseif distance > level.fall then
    value = max(value - level.step, level.threshold)
  end
  if value ~= moved.value then
    recordChange(moved.list, value > moved.value and 1 or -1, at, value)
    moved.value, moved.hold = value, at + level.delay
  end
  return moved
end
local function currentWholeAllowance(one, at)
  local state, level = one.state, one.level
  local isAbsent = state.value == 0 or at >= state.absent
  return whole(isAbsent and level.threshold or clamp(level, state.value))
end
local function wholeAllowanceOfStep(one) return whole(one.moved.value) end
-- While falls are overdue, neither the record nor the attempts that decide them may expire. The last write of
-- a call sets their expiry, not the longest.
local function expiryOf(one)
  local level, state = one.level, one.state
  return state.value ~= 0 and state.absent == HUGE and level.long or level.keep
end
local function storeAllowance(one, moved, at, index)
  local level, state = one.level, one.state
  state.value, state.hold, state.last = moved.value, moved.hold, max(moved.last, at)
  state.absent = state.value == level.threshold and state.last + idle(level) or HUGE
  local ms = expiryOf(one)
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
local function stepAllowance(one, at, units)
  storeAllowance(one, allowanceAfterWrite(one, at, units), at, 0)
  allowance, resetUs = currentWholeAllowance(one, at), one.state.absent
end
local function waitUnder(one, moved, at, isWritten, units)
  local level, log = one.level, one.log
  local now = (isWritten and waitWritten or waitUnwritten)(log, whole(moved.value), level.per, at, units)
  if now == 0 then
    return 0
  end
  local above = whole(min(moved.value + level.step, level.ceiling))
  local raised = (isWritten and waitForNext or waitUnwritten)(log, above, level.per, at, units, units)
  return min(now, max(moved.hold - at, raised))
end
local function writeAndMove(one, at, index, units)
  write(one, at, units)
  storeAllowance(one, one.moved, at, index)
  one.log.store.prune(one.log, at - one.level.per)
end
kinds[5] = {
  read = auxiliary,
  write = writeAuxiliary,
  evaluate = function(one, at, isWritten, units)
    one.moved = (isWritten and allowanceAfterWrite or settleAllowance)(one, at, units)
    return waitUnder(one, one.moved, at, isWritten, units)
  end,
  spend = function(one, index, at, units)
    writeAndMove(one, at, index, units)
    showBudget(one, index, at)
  end,
  writeRefused = writeAndMove,
  limit = wholeAllowanceOfStep,
  left = function(one, at) return max(0, wholeAllowanceOfStep(one) - attemptsInWindow(one, at)) end,
  fullUs = fullUs,
  nextWait = function(one, at) return waitUnder(one, one.moved, at, false, 1) end,
  giveBack = function(one, at, units)
    removeStamps(one, at, units)
    if one.log.ms then
      one.log.ms = expiryOf(one)
    end
  end,
  reset = removeAll,
  allowance = stepAllowance,
}
`;

export const SENTINEL = /* lua */ `
do
  local function allowed(one, at)
    return one.level.isSmoothed and currentWholeAllowance(one, at) or one.level.capacity
  end
  local function leftOf(one, at) return max(0, allowed(one, at) - attemptsInWindow(one, at)) end
  local function nextWait(one, at, units)
    local level = one.level
    return level.fixedMark and level.per or waitForNext(one.log, allowed(one, at), level.per, at, units, 1)
  end
  -- By the mark alone, or by the log if the mark was written under another limit, or if several units have to fit.
  local function waitNow(one, at, units)
    local level, state = one.level, one.state
    local isMarked = state.under >= 0
    if not isMarked and units == 1 then
      return 0
    end
    local k = allowed(one, at)
    local marked = isMarked and max(0, state.mark - at) or 0
    if units == 1 and (level.fixedMark or state.under == k) then
      return marked
    end
    local logged = waitUnwritten(one.log, k, level.per, at, units)
    return level.fixedMark and max(marked, logged) or logged
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
    evaluate = function(one, at, isWritten, units)
      local level = one.level
      if level.capacity < units then
        return HUGE
      end
      local now = waitNow(one, at, units)
      if now == 0 or not isWritten or level.fixedMark then
        return now
      end
      local k = level.isSmoothed and whole(allowanceAfterWrite(one, at, units).value) or level.capacity
      return max(1, waitForNext(one.log, k, level.per, at, units, units))
    end,
    spend = function(one, index, at, units)
      local left = max(0, leftOf(one, at) - units)
      local full
      if left > 0 then
        full = max(fullUs(one, at), at + one.level.per)
      else
        full = at + nextWait(one, at, units)
      end
      showRemaining(one, index, left, full, at)
    end,
    writeRefused = function() end,
    limit = allowed,
    left = leftOf,
    fullUs = fullUs,
    nextWait = function(one, at) return nextWait(one, at, 1) end,
    giveBack = removeStamps,
    reset = function(one)
      local state = one.state
      removeAll(one)
      if state.under >= 0 then
        state.mark, state.under = 0, -1
        touch(state, expiryOf(one))
      end
    end,
    allowance = stepAllowance,
    mark = function(one, at, units)
      local level, log, state = one.level, one.log, one.state
      if level.isSmoothed then
        storeAllowance(one, allowanceAfterWrite(one, at, units), at, 0)
      end
      log.store.prune(log, at - level.per)
      write(one, at, units)
      state.mark, state.under = markedUntil(one, at), allowed(one, at)
      touch(state, state.mark == HUGE and level.long or expiryOf(one))
    end,
  }
end
`;
