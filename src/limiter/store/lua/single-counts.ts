// The script for the most frequent call: every operation spends from one count, and all operations on a budget have the
// same time and cost. Then the record alone determines how many of them are admitted. So the script counts them in one
// step and returns the old records, and the gateway computes each reply by the rule in memory (redis-single-counts.ts).
// COUNTS would take as long for each operation as Redis takes for reading and writing a record.

/**
 * KEYS: records of COUNTER (records.ts). ARGV: a nonce; the number of operations of each record (empty: one each); then
 * the groups, each with its level, time, cost, first and last record.
 */
export const SINGLE_COUNTS = /* lua */ `
local call, pack, unpacked = redis.call, struct.pack, struct.unpack
local HUGE = math.huge
local floor, max, fmod = math.floor, math.max, math.fmod
local NONE = pack('<dI4', -HUGE, 0)
local times = #ARGV[2] > 0 and { unpacked('<' .. string.rep('d', #ARGV[2] / 8), ARGV[2]) }
local records = call('MGET', unpack(KEYS))
local hasLong = false
for group = 3, #ARGV do
  local capacity, per, keep, startsAtClock, at, units, first, last = unpacked('<dddddddd', ARGV[group])
  for i = first, last do
    local text = records[i]
    local start, count = -HUGE, 0
    if not text then
      records[i] = NONE
    elseif #text == 12 then
      start, count = unpacked('<dI4', text)
    else
      start, count = unpacked('<dd', text)
      hasLong = true
    end
    local isOpen = at < start + per
    if not isOpen then
      count = 0
    end
    local spent = times and times[i] * units or units
    if count + spent > capacity then
      spent = max(0, floor((capacity - count) / units)) * units
    end
    if spent > 0 then
      count = count + spent
      local key, form = KEYS[i], count < 4294967296 and '<dI4' or '<dd'
      if isOpen then
        -- Keeps its expiry, which is never shorter than its window. This costs less than a SET with KEEPTTL.
        call('SETRANGE', key, '0', pack(form, start, count))
      else
        start = startsAtClock > 0 and at - fmod(at, per) or at
        if keep < 0 then
          call('SET', key, pack(form, start, count))
        else
          call('SET', key, pack(form, start, count), 'PX', 2 * keep)
        end
      end
    end
  end
end
if hasLong then
  for i = 1, #records do
    if #records[i] == 12 then
      local start, count = unpacked('<dI4', records[i])
      records[i] = pack('<dd', start, count)
    end
  end
end
return table.concat(records)
`;
