// Beginning and end of every script. A script consists of the pieces that its levels need (script.ts), so that a count
// spends no time on smoothing. A script returns what the store in memory returns, by functions with the same names:
// take.ts, shown-budget.ts and the files of algorithms explain them, and property tests compare script and memory.

/**
 * Numbers are passed as doubles of eight bytes, because Lua writes only fourteen digits of a number as text. A record
 * is read once and written once, however many operations of one turn use it.
 */
export const OPENING = /* lua */ `
local call, pack, unpacked = redis.call, struct.pack, struct.unpack
local HUGE = math.huge
local max, min, floor, ceil, fmod = math.max, math.min, math.floor, math.ceil, math.fmod
local kinds, stores, touched = {}, {}, {}
local nonce, added = ARGV[1], 0
local shown, limit, remaining, resetUs, allowance, quotaLeft, quotaAtApiLeft, changes

local function touch(state, ms)
  if not state.ms then
    state.ms = ms
    touched[#touched + 1] = state
  elseif ms < 0 or state.ms < 0 then
    state.ms = -1
  elseif ms > state.ms then
    state.ms = ms
  end
end

-- An expiry that is set for twice as long need not be set again before half of that has passed: setting it costs
-- as much as all the rest of a write. \`before\` is the time of the last one, where there was one.
local function isRenewed(ms, before, at)
  return ms >= 0 and before ~= nil and floor(before / ms / 1000) >= floor(at / ms / 1000)
end
local function writeRecord(state, value, before, at)
  local ms = state.ms
  if ms < 0 then
    call('SET', state.key, value)
  elseif isRenewed(ms, before, at) then
    call('SET', state.key, value, 'KEEPTTL')
  else
    call('SET', state.key, value, 'PX', 2 * ms)
  end
end

local function show(index, most, left, fullUs)
  shown, limit, remaining, resetUs = index, most, left, fullUs
end

local function setQuotaLeft(level, left)
  if level.isQuotaAtApi then
    quotaAtApiLeft = left
  else
    quotaLeft = left
  end
end

local function offer(one, index, most, left, fullUs)
  if one.level.isQuota then
    setQuotaLeft(one.level, left)
  elseif shown < 0 or left < remaining or (left == remaining and fullUs > resetUs) then
    show(index, most, left, fullUs)
  end
end

local function showRemaining(one, index, left, fullUs, at)
  local most = one.kind.limit(one, at)
  if one.level.isSmoothed then
    allowance = most
  end
  offer(one, index, most, left, fullUs)
end

local function showBudget(one, index, at)
  local kind = one.kind
  local left = kind.left(one, at)
  local fullUs = 0
  if not one.level.isQuota and (shown < 0 or left <= remaining) then
    if left > 0 then
      fullUs = kind.fullUs(one, at)
    else
      fullUs = at + kind.nextWait(one, at)
    end
  end
  showRemaining(one, index, left, fullUs, at)
end
`;

/** Unpacks all numbers of a row in one call, which costs less than a call for each number. */
export const ROWS = /* lua */ `
local function numbersIn(row)
  local numbers = { unpacked('<' .. string.rep('d', #row / 8), row) }
  numbers[#numbers] = nil -- where the next would begin
  return numbers
end
local slots, operations = numbersIn(ARGV[2]), numbersIn(ARGV[3])
`;

/** Packs 4,000 numbers in one call, as many as the stack of a script holds. */
export const ANSWERING = /* lua */ `
local parts = {}
for from = 1, filled, 4000 do
  local upTo = min(filled, from + 3999)
  parts[#parts + 1] = pack('<' .. string.rep('d', upTo - from + 1), unpack(answers, from, upTo))
end
return table.concat(parts)
`;

/**
 * KEYS: first the records that are read together, then sorted sets. ARGV: nonce, slots, operations, levels. A slot has
 * its level, the index of its record, and the index of its log, negative if the log is read with the records.
 */
export const CLOSING = /* lua */ `
-- As in redis-level.ts.
local levels = {}
for i = 4, #ARGV do
  local kind, store, isQuota, isForAll, startsAtClock, fixedMark, isSmoothed,
    capacity, rate, burst, per, all, bound, keep, long,
    threshold, step, ceiling, rise, fall, delay = unpacked('<ddddddddddddddddddddd', ARGV[i])
  levels[i - 3] = {
    kind = kind, store = store, isQuota = isQuota > 0, isQuotaAtApi = isQuota == 2, isForAll = isForAll == 1,
    startsAtClock = startsAtClock == 1, fixedMark = fixedMark == 1, isSmoothed = isSmoothed == 1,
    capacity = capacity, rate = rate, burst = burst, per = per, all = all, bound = bound,
    keep = keep, long = long,
    threshold = threshold, step = step, ceiling = ceiling, rise = rise, fall = fall, delay = delay,
  }
end

${ROWS}local records = slots[1]
local raw = records > 0 and call('MGET', unpack(KEYS, 1, records)) or nil
local states, ones = {}, {}
for at = 2, #slots, 3 do
  local level, record, log = levels[slots[at]], slots[at + 1], slots[at + 2]
  local kind = kinds[level.kind]
  local one = { level = level, kind = kind, state = false, log = false, moved = false }
  if record > 0 then
    local state = states[record]
    if state == nil then
      state = kind.read(raw[record], KEYS[record], kind.write)
      states[record] = state
    end
    one.state = state
  end
  if log < 0 then
    local state = states[-log]
    if state == nil then
      state = stores[level.store].read(raw[-log], KEYS[-log], level)
      states[-log] = state
    end
    one.log = state
  elseif log > 0 then
    local place = records + log
    local state = states[place]
    if state == nil then
      state = { key = KEYS[place], store = stores[level.store], write = stores.expire, ms = false }
      states[place] = state
    end
    one.log = state
  end
  ones[#ones + 1] = one
end

local EVALUATE, TRY, SPEND, GIVE_BACK, MARK, ALLOWANCE = 1, 2, 3, 4, 5, 6
local selected = {}

local function take(op, at, count, units)
  local spends, refused, own, longest = op ~= EVALUATE, -1, 0, 0
  for i = 1, count do
    local one = selected[i]
    local wait = one.kind.evaluate(one, at, spends and refused < 0, units)
    if wait ~= 0 then
      if refused < 0 then
        refused, own = i - 1, wait
      end
      longest = max(longest, wait)
    end
  end
  if refused < 0 then
    for i = 1, count do
      local delay = selected[i].kind.delay
      if delay then
        longest = max(longest, delay(selected[i], at)) -- until its turn at every level
      end
      if spends then
        selected[i].kind.spend(selected[i], i - 1, at, units)
      else
        showBudget(selected[i], i - 1, at)
      end
    end
    return refused, longest
  end
  local one = selected[refused + 1]
  local left = 0
  if op == SPEND or (op == TRY and one.level.isForAll) then
    one.kind.writeRefused(one, at, refused, units)
    if units > 1 and not one.log then
      left = min(units - 1, one.kind.left(one, at))
    end
  elseif units > 1 then
    left = min(units - 1, one.kind.left(one, at))
  end
  local most = one.kind.limit(one, at)
  if one.level.isSmoothed then
    allowance = most
  end
  if one.level.isQuota then
    setQuotaLeft(one.level, left)
    for i = 1, refused do
      selected[i].kind.evaluate(selected[i], at, false, units)
      showBudget(selected[i], i - 1, at)
    end
  else
    show(refused, most, left, at + own)
  end
  return refused, longest
end

local answers, filled = {}, 0
local place, size = 1, #operations
while place <= size do
  local op, at = operations[place], operations[place + 1]
  local units, count = operations[place + 2], operations[place + 3]
  place = place + 3
  for i = 1, count do
    selected[i] = ones[operations[place + i]]
  end
  place = place + count + 1
  shown, limit, remaining, resetUs, allowance, quotaLeft, quotaAtApiLeft, changes = -1, -1, -1, 0, -1, -1, -1, nil
  local refused, wait = -1, 0
  if op <= SPEND then
    refused, wait = take(op, at, count, units)
  elseif op == GIVE_BACK then
    selected[1].kind.giveBack(selected[1], at, units)
  elseif op == MARK then
    selected[1].kind.mark(selected[1], at, units)
  elseif op == ALLOWANCE then
    selected[1].kind.allowance(selected[1], at, units)
  else
    selected[1].kind.reset(selected[1])
  end
  if refused < 0 and wait == 0 and shown >= 0 and quotaLeft < 0 and quotaAtApiLeft < 0 and allowance < 0 and changes == nil then
    answers[filled + 1], answers[filled + 2] = -2, shown
    answers[filled + 3], answers[filled + 4] = remaining, resetUs
    filled = filled + 4
  else
    local moved = changes == nil and 0 or #changes
    answers[filled + 1], answers[filled + 2], answers[filled + 3] = refused, wait, shown
    answers[filled + 4], answers[filled + 5], answers[filled + 6] = limit, remaining, resetUs
    answers[filled + 7], answers[filled + 8], answers[filled + 9] = allowance, quotaLeft, quotaAtApiLeft
    answers[filled + 10] = moved
    filled = filled + 10
    for i = 1, moved do
      local change = changes[i]
      answers[filled + 1], answers[filled + 2] = change.index, change.up
      answers[filled + 3], answers[filled + 4] = change.at, change.value
      filled = filled + 4
    end
  end
end
for i = 1, #touched do
  touched[i].write(touched[i])
end
${ANSWERING}`;
