// How many bytes a Redis would need for the simulated counters, from measured sizes (measured-costs.ts).
import { countOf } from "../../limiter/algorithms/sliding-log/stamps.ts";
import type { MemoryStore } from "../../limiter/store/memory.ts";
import type { LogTable, BudgetTable } from "../../limiter/store/table.ts";
import { MEASURED, type FormCosts } from "./measured-costs.ts";

const { forms } = MEASURED;
const RECORD_OF = {
  counter: forms.fixed_window.recordBytes,
  debt: forms.token_bucket.recordBytes,
  queue: forms.leaky_bucket.recordBytes,
  two_windows: forms.sliding_window_counter.recordBytes,
} as const;

/** The bytes of one counter, in a store or a gateway. */
export const BYTES_PER_COUNTER = RECORD_OF.counter;

export function bytesIn({ tables }: MemoryStore): number {
  let bytes = 0;
  for (const table of tables.values()) bytes += bytesOfTable(table);
  return bytes;
}

const bytesOfTable = (table: BudgetTable): number =>
  table.kind === "log" ? bytesOfLogs(table) : table.rows.byIdentity.size * RECORD_OF[table.kind];

/** The bytes of all logs of a table. A log is one Redis key; an allowance's record or a mark is a second one. */
function bytesOfLogs({ rows, stamps, bounds, allowances, marks }: LogTable): number {
  let bytes = 0;
  for (const row of rows.byIdentity.values()) {
    const form = bounds.has(row) ? forms.bounded_log : forms.sliding_log;
    bytes += bytesOfLog(form, countOf(stamps, row));
    if (allowances.has(row)) bytes += forms["sentinel, smoothed"].recordBytes;
    else if (marks.has(row)) bytes += forms.sentinel.recordBytes;
  }
  return bytes;
}

/** The bytes of one log: interpolated linearly between measured sizes, extrapolated beyond the largest. */
export function bytesOfLog({ logBytes }: Pick<FormCosts, "logBytes">, stamps: number): number {
  if (stamps === 0) return 0; // Redis has no key for an empty log
  const next = logBytes.findIndex(([measured]) => measured >= stamps);
  const upper = logBytes[next === -1 ? logBytes.length - 1 : next]!;
  const lower = logBytes[(next === -1 ? logBytes.length - 1 : next) - 1];
  if (lower === undefined) return upper[1];
  const each = (upper[1] - lower[1]) / (upper[0] - lower[0]);
  return Math.round(upper[1] + (stamps - upper[0]) * each);
}
