// Like SINGLE_COUNTS, for bounded logs without smoothing: each operation spends from one row, and all operations on a
// row have the same time and cost. A row is too long to be returned, so the script decides each operation itself.

/**
 * Follows OPENING and ROW. KEYS: rows. ARGV: a nonce; the number of operations of each row (empty: one each); then the
 * groups, each with its level, time, cost, first and last row. Returns three numbers for each operation: its wait (0:
 * admitted), what remains, and the reset.
 */
export const SINGLE_ROWS = /* lua */ `
local R = stores[2]
local times = #ARGV[2] > 0 and { unpacked('<' .. string.rep('d', #ARGV[2] / 8), ARGV[2]) }
local texts = call('MGET', unpack(KEYS))
local answers, filled = {}, 0
for group = 3, #ARGV do
  local capacity, per, keep, bound, at, units, first, last = unpacked('<dddddddd', ARGV[group])
  local level = { keep = keep, isSmoothed = false }
  local rank = capacity - units + 1 -- of the newest units, the one that has to leave
  for i = first, last do
    local log = R.read(texts[i], KEYS[i], level)
    for time = 1, times and times[i] or 1 do
      R.prune(log, at - per)
      local wait, left, resetUs = HUGE, 0, HUGE
      if rank > 0 then
        local leaves = R.newest(log, rank)
        wait = max(0, leaves + per - at)
        if wait > 0 then -- refused, and written: it is one of the newest itself (ALG-3, HDR-C1)
          local before = rank <= units and HUGE or R.newest(log, rank - units)
          wait = max(0, max(leaves, min(before, at)) + per - at)
        end
      end
      R.insert(log, at, bound, units)
      if wait == 0 then
        left = capacity - R.count(log)
        resetUs = R.newest(log, left > 0 and 1 or capacity) + per
      else
        resetUs = at + wait
      end
      answers[filled + 1], answers[filled + 2], answers[filled + 3] = wait, left, resetUs
      filled = filled + 3
    end
    R.write(log)
  end
end
`;
