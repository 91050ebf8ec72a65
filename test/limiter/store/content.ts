// The content of a store, budget by budget: two stores of equal content reply alike from then on.
import { countOf, newest } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { AllowanceRecord } from "#src/limiter/core/smoothing.ts";
import type { MemoryStore } from "#src/limiter/store/memory.ts";
import type { SentinelMark, BudgetTable } from "#src/limiter/store/table.ts";

export interface Content {
  readonly table: string; // kind and space
  readonly identity: string;
  readonly cells: readonly number[]; // of a record of fixed width
  readonly stampsUs: readonly number[]; // of a log, oldest first
  readonly mark: SentinelMark | null;
  readonly allowance: AllowanceRecord | null;
  readonly bound: number | null;
}

/** Sorted by names, whichever client was first. */
export const contentOf = (store: MemoryStore): readonly Content[] =>
  [...store.tables]
    .toSorted(byName)
    .flatMap(([name, table]) =>
      [...table.rows.byIdentity]
        .toSorted(byName)
        .map(([identity, row]) => ({ table: name, identity, ...recordAt(table, row) })),
    );

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

function recordAt(table: BudgetTable, row: number): Omit<Content, "table" | "identity"> {
  if (table.kind !== "log")
    return {
      cells: [...table.cells.subarray(row * table.width, (row + 1) * table.width)],
      stampsUs: [],
      mark: null,
      allowance: null,
      bound: null,
    };
  const count = countOf(table.stamps, row);
  return {
    cells: [],
    stampsUs: Array.from({ length: count }, (_, i) => newest(table.stamps, row, count - i)),
    mark: table.marks.get(row) ?? null,
    allowance: table.allowances.get(row) ?? null,
    bound: table.bounds.get(row) ?? null,
  };
}
