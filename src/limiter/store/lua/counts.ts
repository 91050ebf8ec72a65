// The script for the most frequent operations, like counts.ts in memory: all operations spend, and every level is a
// count. It returns what the complete script returns, but creates no table for each budget and no function for each
// level, so that Redis' own reading and writing take most of its time.
import { ANSWERING, ROWS } from "./frame.ts";

/** KEYS and ARGV as in the complete script (frame.ts); records as in COUNTER (records.ts). */
export const COUNTS = /* lua */ `
local call, pack, unpacked = redis.call, struct.pack, struct.unpack
local HUGE = math.huge
local max, min, fmod = math.max, math.min, math.fmod
local levels = {}
for i = 4, #ARGV do
  local _, _, isQuota, _, startsAtClock, _, _, capacity, _, _, per, _, _, keep = unpacked('<dddddddddddddd', ARGV[i])
  levels[i - 3] = {
    isQuota = isQuota > 0, isQuotaAtApi = isQuota == 2, startsAtClock = startsAtClock == 1, capacity = capacity, per = per, keep = keep,
  }
end
${ROWS}
local raw = call('MGET', unpack(KEYS))
local starts, counts = {}, {}
for i = 1, #KEYS do
  local text = raw[i]
  if text then
    starts[i], counts[i] = unpacked(#text == 12 and '<dI4' or '<dd', text)
  else
    starts[i], counts[i] = -HUGE, 0
  end
end

local touched, keeps = {}, {} -- which records; for how long those whose window is a new one
local answers, filled = {}, 0
local place, size = 1, #operations
while place <= size do
  local at, units = operations[place + 1], operations[place + 2]
  local first, last = place + 4, place + 3 + operations[place + 3]
  place = last + 1
  local refused, own, longest = -1, 0, 0
  for i = first, last do
    local slot = operations[i] * 3
    local level, record = levels[slots[slot - 1]], slots[slot]
    local ends = starts[record] + level.per
    local used = at < ends and counts[record] or 0
    if used + units > level.capacity then
      local wait = level.capacity < units and HUGE or ends - at
      if refused < 0 then
        refused, own = i - first, wait
      end
      longest = max(longest, wait)
    end
  end
  local shown, limit, remaining, resetUs, quotaLeft, quotaAtApiLeft = -1, -1, -1, 0, -1, -1
  if refused >= 0 then
    local level = levels[slots[operations[first + refused] * 3 - 1]]
    local left = 0
    if units > 1 then
      local record = slots[operations[first + refused] * 3]
      local used = at < starts[record] + level.per and counts[record] or 0
      left = min(units - 1, max(0, level.capacity - used))
    end
    if level.isQuota then
      last = first + refused - 1 -- those before it are reported
      if level.isQuotaAtApi then
        quotaAtApiLeft = left
      else
        quotaLeft = left
      end
    else
      last, shown, limit, remaining, resetUs = 0, refused, level.capacity, left, at + own
    end
  end
  for i = first, last do
    local slot = operations[i] * 3
    local level, record = levels[slots[slot - 1]], slots[slot]
    local per = level.per
    local isOpen = at < starts[record] + per
    local count = isOpen and counts[record] or 0
    if refused < 0 then
      count = count + units
      counts[record] = count
      if not isOpen then
        starts[record] = level.startsAtClock and at - fmod(at, per) or at
        keeps[record] = level.keep
      end
      touched[record] = true
    end
    local left = level.capacity - count
    if level.isQuotaAtApi then
      quotaAtApiLeft = left
    elseif level.isQuota then
      quotaLeft = left
    else
      local fullUs = max(at, starts[record] + per)
      if shown < 0 or left < remaining or (left == remaining and fullUs > resetUs) then
        shown, limit, remaining, resetUs = i - first, level.capacity, left, fullUs
      end
    end
  end
  if refused < 0 and shown >= 0 and quotaLeft < 0 and quotaAtApiLeft < 0 then
    answers[filled + 1], answers[filled + 2] = -2, shown
    answers[filled + 3], answers[filled + 4] = remaining, resetUs
    filled = filled + 4
  else
    answers[filled + 1], answers[filled + 2], answers[filled + 3] = refused, longest, shown
    answers[filled + 4], answers[filled + 5], answers[filled + 6] = limit, remaining, resetUs
    answers[filled + 7], answers[filled + 8], answers[filled + 9] = -1, quotaLeft, quotaAtApiLeft
    answers[filled + 10] = 0
    filled = filled + 10
  end
end

for record = 1, #KEYS do
  if touched[record] then
    local key, count, keep = KEYS[record], counts[record], keeps[record]
    local value = pack(count < 4294967296 and '<dI4' or '<dd', starts[record], count)
    if keep == nil then
      -- A window that goes on expires when it would have, and never gets shorter here. This costs less than a SET
      -- that keeps the expiry.
      call('SETRANGE', key, '0', value)
    elseif keep < 0 then
      call('SET', key, value)
    else
      call('SET', key, value, 'PX', 2 * keep)
    end
  end
end
${ANSWERING}`;
