// What every script begins and ends with. A script is put together from the pieces that its levels need
// (script.ts), so that a count does not pay for what smoothing has to know. It says what the store in memory
// says, function by function and under the same names: take.ts, tell.ts and the files of core/algorithm are
// its explanation, and properties hold the two together.

/**
 * Numbers come and go as doubles, eight bytes each: as text a language that writes fourteen digits would
 * round every time. States are read once, however many questions of one turn speak to them, and written once.
 */
export const OPENING = /* lua */ `
local call, pack, unpacked = redis.call, struct.pack, struct.unpack
local HUGE = math.huge
local max, min, floor, ceil, fmod = math.max, math.min, math.floor, math.ceil, math.fmod
local kinds, stores, touched = {}, {}, {}
local nonce, added = ARGV[1], 0
local shown, limit, remaining, resetUs, allowance, quotaLeft, changes

local function touch(state, ms)
  if state.ms == nil then
    state.ms = ms
    touched[#touched + 1] = state
  elseif ms < 0 or state.ms < 0 then
    state.ms = -1
  elseif ms > state.ms then
    state.ms = ms
  end
end

local function written(key, value, ms)
  if ms < 0 then
    call('SET', key, value)
  else
    call('SET', key, value, 'PX', ms)
  end
end

local function show(index, most, left, fullUs)
  shown, limit, remaining, resetUs = index, most, left, fullUs
end

local function offer(one, index, most, left, fullUs)
  if one.level.isQuota then
    quotaLeft = left
  elseif shown < 0 or left < remaining or (left == remaining and fullUs > resetUs) then
    show(index, most, left, fullUs)
  end
end

local function tellLeft(one, index, left, fullUs)
  local most = one.kind.limit(one)
  if one.level.isSmoothed then
    allowance = most
  end
  offer(one, index, most, left, fullUs)
end

local function tell(one, index, at)
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
  tellLeft(one, index, left, fullUs)
end
`;

/** KEYS: first the records, then the logs. ARGV: nonce, slots, questions, and then the levels. */
export const CLOSING = /* lua */ `
local levels = {}
for i = 4, #ARGV do
  local level = {}
  local isQuota, isForAll, startsAtClock, fixedMark, isSmoothed
  level.kind, level.store, isQuota, isForAll, startsAtClock, fixedMark, isSmoothed,
    level.capacity, level.rate, level.burst, level.per, level.all, level.bound, level.keep, level.long,
    level.threshold, level.step, level.ceiling, level.rise, level.fall, level.delay =
    unpacked('<ddddddddddddddddddddd', ARGV[i])
  level.isQuota, level.isForAll, level.startsAtClock = isQuota == 1, isForAll == 1, startsAtClock == 1
  level.fixedMark, level.isSmoothed = fixedMark == 1, isSmoothed == 1
  levels[i - 3] = level
end

local slots, questions = ARGV[2], ARGV[3]
local records = unpacked('<d', slots)
local raw = records > 0 and call('MGET', unpack(KEYS, 1, records)) or nil
local states, ones = {}, {}
for at = 9, #slots, 24 do
  local level, record, log = unpacked('<ddd', slots, at)
  local one = { level = levels[level], kind = kinds[levels[level].kind] }
  if record > 0 then
    local state = states[record]
    if state == nil then
      state = one.kind.read(raw[record])
      state.key, state.write = KEYS[record], one.kind.write
      states[record] = state
    end
    one.state = state
  end
  if log > 0 then
    local place = records + log
    local state = states[place]
    if state == nil then
      state = { key = KEYS[place], store = stores[one.level.store], write = stores.expire }
      states[place] = state
    end
    one.log = state
  end
  ones[#ones + 1] = one
end

local ASK, TRY, SPEND, GIVE_BACK, MARK = 1, 2, 3, 4, 5
local answers, asked = {}, {}

local function take(op, at, count)
  local spends, refused, own, longest = op ~= ASK, -1, 0, 0
  for i = 1, count do
    local wait = asked[i].kind.judge(asked[i], at, spends and refused < 0)
    if wait ~= 0 then
      if refused < 0 then
        refused, own = i - 1, wait
      end
      longest = max(longest, wait)
    end
  end
  if refused < 0 then
    for i = 1, count do
      if spends then
        asked[i].kind.spend(asked[i], i - 1, at)
      else
        tell(asked[i], i - 1, at)
      end
    end
    return refused, longest
  end
  local one = asked[refused + 1]
  if op == SPEND or (op == TRY and one.level.isForAll) then
    one.kind.writeRefused(one, at, refused)
  end
  local most = one.kind.limit(one)
  if one.level.isSmoothed then
    allowance = most
  end
  if one.level.isQuota then
    quotaLeft = 0
    for i = 1, refused do
      tell(asked[i], i - 1, at)
    end
  else
    show(refused, most, 0, at + own)
  end
  return refused, longest
end

local place, size = 1, #questions
while place <= size do
  local op, at, count = unpacked('<ddd', questions, place)
  place = place + 24
  for i = 1, count do
    asked[i] = ones[unpacked('<d', questions, place)]
    place = place + 8
  end
  shown, limit, remaining, resetUs, allowance, quotaLeft, changes = -1, -1, -1, 0, -1, -1, nil
  local refused, wait = -1, 0
  if op <= SPEND then
    refused, wait = take(op, at, count)
  elseif op == GIVE_BACK then
    asked[1].kind.giveBack(asked[1], at)
  elseif op == MARK then
    asked[1].kind.mark(asked[1], at)
  else
    asked[1].kind.allowance(asked[1], at)
  end
  local moved = changes == nil and 0 or #changes
  answers[#answers + 1] =
    pack('<ddddddddd', refused, wait, shown, limit, remaining, resetUs, allowance, quotaLeft, moved)
  for i = 1, moved do
    local change = changes[i]
    answers[#answers + 1] = pack('<dddd', change.index, change.up, change.at, change.value)
  end
end
for i = 1, #touched do
  touched[i].write(touched[i])
end
return table.concat(answers)
`;
