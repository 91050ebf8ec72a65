// Budgets that are a few numbers, as in algorithms/*/memory.ts: a count, a debt, a queue, or two windows.

/** A count takes twelve bytes unless it is too large. A count of zero has no record. */
export const COUNTER = /* lua */ `
do
  local function used(state, per, at)
    return at < state.start + per and state.count or 0
  end
  local function wait(one, at, _, units)
    local level, state = one.level, one.state
    if used(state, level.per, at) + units <= level.capacity then
      return 0
    end
    return level.capacity < units and HUGE or state.start + level.per - at
  end
  kinds[1] = {
    read = function(text, key, write)
      local start, count = -HUGE, 0
      if text then
        start, count = unpacked(#text == 12 and '<dI4' or '<dd', text)
      end
      return { key = key, write = write, ms = false, start = start, count = count, began = start }
    end,
    -- A window that continues keeps its expiry.
    write = function(state)
      if state.count == 0 then
        call('DEL', state.key)
        return
      end
      local value = pack(state.count < 4294967296 and '<dI4' or '<dd', state.start, state.count)
      if state.start == state.began then
        call('SET', state.key, value, 'KEEPTTL')
      else
        writeRecord(state, value)
      end
    end,
    evaluate = wait,
    spend = function(one, index, at, units)
      local level, state = one.level, one.state
      if at < state.start + level.per then
        state.count = state.count + units
      else
        state.start = level.startsAtClock and at - fmod(at, level.per) or at
        state.count = units
      end
      touch(state, level.keep)
      offer(one, index, level.capacity, level.capacity - state.count, state.start + level.per)
    end,
    writeRefused = function() end,
    limit = function(one) return one.level.capacity end,
    left = function(one, at)
      return max(0, one.level.capacity - used(one.state, one.level.per, at))
    end,
    fullUs = function(one, at) return max(at, one.state.start + one.level.per) end,
    nextWait = function(one, at) return wait(one, at, false, 1) end,
    giveBack = function(one, at, units)
      local level, state = one.level, one.state
      if at < state.start or at >= state.start + level.per or state.count <= 0 then
        return
      end
      state.count = max(0, state.count - units)
      if state.count == 0 then
        state.start = -HUGE
      end
      touch(state, level.keep)
    end,
    reset = function(one)
      local state = one.state
      state.start, state.count = -HUGE, 0
      touch(state, one.level.keep)
    end,
  }
end
`;

export const DEBT = /* lua */ `
do
  local MILLION = 1000000
  local HALF = 0.5 / MILLION
  local LAST_BITS = 1 / 1125899906842624
  local function slack(one)
    return fmod(one.level.rate, 1) == 0 and HALF or max(HALF, one.state.debt * LAST_BITS)
  end
  local function round(value)
    local whole = ceil(value)
    return whole - 0.5 > value and whole - 1 or whole
  end
  local function longest(level)
    return level.burst > level.rate and ceil(level.burst * level.per / level.rate) or level.per
  end
  local function owed(one, at)
    local state = one.state
    local elapsed = at - state.at
    if elapsed >= longest(one.level) then
      return 0
    end
    return elapsed > 0 and max(0, state.debt - elapsed * one.level.rate) or state.debt
  end
  local function wait(one, at, _, units)
    local level = one.level
    if level.burst < units then
      return HUGE
    end
    local excess = owed(one, at) - (level.burst - units) * level.per - slack(one)
    if excess <= 0 then
      return 0
    end
    local state = one.state
    local paid = max(at, state.at) + ceil(excess / level.rate)
    return min(paid, state.at + longest(level)) - at
  end
  kinds[2] = {
    read = function(text, key, write)
      local debt, at, before = 0, 0, nil
      if text then
        debt, at = unpacked('<dd', text)
        before = at
      end
      return { key = key, write = write, ms = false, debt = debt, at = at, before = before }
    end,
    write = function(state)
      writeRecord(state, pack('<dd', state.debt, state.at), state.before, state.at)
    end,
    evaluate = wait,
    spend = function(one, index, at, units)
      local level, state = one.level, one.state
      local debt = owed(one, at) + units * level.per
      state.debt = fmod(level.rate, 1) == 0 and debt or round(debt * MILLION) / MILLION
      state.at = max(state.at, at)
      touch(state, level.keep)
      showBudget(one, index, at)
    end,
    writeRefused = function() end,
    limit = function(one) return one.level.capacity end,
    left = function(one, at)
      local level = one.level
      return max(0, floor((level.burst * level.per - owed(one, at) + slack(one)) / level.per))
    end,
    fullUs = function(one, at)
      local state = one.state
      local lasts = state.debt == 0 and 0 or ceil((state.debt - slack(one)) / one.level.rate)
      return max(at, state.at + min(longest(one.level), lasts))
    end,
    nextWait = function(one, at) return wait(one, at, false, 1) end,
    giveBack = function(one, _, units)
      local state = one.state
      state.debt = max(0, state.debt - units * one.level.per)
      touch(state, one.level.keep)
    end,
    reset = function(one)
      local state = one.state
      state.debt, state.at = 0, 0
      touch(state, one.level.keep)
    end,
  }
end
`;

export const QUEUE = /* lua */ `
do
  local MILLION = 1000000
  local HALF = 0.5 / MILLION
  local LAST_BITS = 1 / 1125899906842624
  local function slack(one)
    return fmod(one.level.rate, 1) == 0 and HALF or max(HALF, one.state.debt * LAST_BITS)
  end
  local function rounded(value)
    local whole = ceil(value)
    return whole - 0.5 > value and whole - 1 or whole
  end
  local function owed(one, at)
    local state = one.state
    if at >= state.empty then
      return 0
    end
    local elapsed = at - state.at
    return elapsed > 0 and max(0, state.debt - elapsed * one.level.rate) or state.debt
  end
  local function untilPaid(one, at, excess)
    if excess <= 0 then
      return 0
    end
    local state = one.state
    return min(max(at, state.at) + ceil(excess / one.level.rate), state.empty) - at
  end
  local function wait(one, at, _, units)
    local level = one.level
    if level.burst < units then
      return HUGE
    end
    return untilPaid(one, at, owed(one, at) - (level.burst - units) * level.per - slack(one))
  end
  local function delay(one, at)
    return untilPaid(one, at, owed(one, at) - slack(one))
  end
  kinds[7] = {
    read = function(text, key, write)
      local debt, at, empty = 0, 0, 0
      if text then
        debt, at, empty = unpacked('<ddd', text)
      end
      return { key = key, write = write, ms = false, debt = debt, at = at, empty = empty }
    end,
    -- Its expiry is always set: how long a queue lasts depends on the rate, which may have changed.
    write = function(state)
      writeRecord(state, pack('<ddd', state.debt, state.at, state.empty))
    end,
    evaluate = wait,
    delay = delay,
    spend = function(one, index, at, units)
      local level, state = one.level, one.state
      local debt = owed(one, at) + units * level.per
      state.debt = fmod(level.rate, 1) == 0 and debt or rounded(debt * MILLION) / MILLION
      state.at = max(state.at, at)
      state.empty = state.at + ceil((state.debt - slack(one)) / level.rate)
      touch(state, level.keep)
      showBudget(one, index, at)
    end,
    writeRefused = function() end,
    limit = function(one) return one.level.capacity end,
    left = function(one, at)
      local level = one.level
      return max(0, floor((level.burst * level.per - owed(one, at) + slack(one)) / level.per))
    end,
    fullUs = function(one, at) return at + delay(one, at) end,
    nextWait = function(one, at) return wait(one, at, false, 1) end,
    giveBack = function(one, at, units)
      local state = one.state
      if state.at == at then
        state.debt = max(0, state.debt - units * one.level.per)
        touch(state, one.level.keep)
      end
    end,
    reset = function(one)
      local state = one.state
      state.debt, state.at, state.empty = 0, 0, 0
      touch(state, one.level.keep)
    end,
  }
end
`;

export const TWO_WINDOWS = /* lua */ `
do
  local function startOf(at, per) return at - fmod(at, per) end
  local function windows(one, at)
    local state, per = one.state, one.level.per
    local start = max(state.start, startOf(at, per))
    if start == state.start then
      return start, state.previous, state.current
    end
    return start, start == state.start + per and state.current or 0, 0
  end
  local function inside(start, per, at) return min(per, start + per - at) end
  local function wait(one, at, _, units)
    local level = one.level
    if level.rate < units then
      return HUGE
    end
    local per, all = level.per, level.all
    local start, previous, current = windows(one, at)
    local room = all - (current + units) * per
    if previous * inside(start, per, at) <= room then
      return 0
    end
    if room >= 0 then
      return start + per - floor(room / previous) - at
    end
    return start + per + max(0, per - floor((all - units * per) / current)) - at
  end
  kinds[3] = {
    read = function(text, key, write)
      local start, previous, current, before = 0, 0, 0, nil
      if text then
        start, previous, current = unpacked('<ddd', text)
        before = start
      end
      return {
        key = key, write = write, ms = false, start = start, previous = previous, current = current,
        before = before,
      }
    end,
    write = function(state)
      local value = pack('<ddd', state.start, state.previous, state.current)
      writeRecord(state, value, state.before, state.start)
    end,
    evaluate = wait,
    spend = function(one, index, at, units)
      local state = one.state
      local start, previous, current = windows(one, at)
      state.start, state.previous, state.current = start, previous, current + units
      touch(state, one.level.keep)
      showBudget(one, index, at)
    end,
    writeRefused = function() end,
    limit = function(one) return one.level.capacity end,
    left = function(one, at)
      local level = one.level
      local start, previous, current = windows(one, at)
      local weighted = previous * inside(start, level.per, at)
      return max(0, floor((level.all - weighted) / level.per) - current)
    end,
    fullUs = function(one, at)
      local state, per = one.state, one.level.per
      return max(at, state.start + (state.current > 0 and 2 or 1) * per)
    end,
    nextWait = function(one, at) return wait(one, at, false, 1) end,
    giveBack = function(one, at, units)
      local state, per = one.state, one.level.per
      local start = startOf(at, per)
      if start >= state.start then
        state.current = max(0, state.current - units)
      elseif start + per == state.start then
        state.previous = max(0, state.previous - units)
      end
      touch(state, one.level.keep)
    end,
    reset = function(one)
      local state = one.state
      state.start, state.previous, state.current = 0, 0, 0
      touch(state, one.level.keep)
    end,
  }
end
`;
