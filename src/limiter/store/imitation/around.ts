// Rules that an imitation adds to any counting: a block, a bound on the number of budgets, a coarse clock.
import type { Micros } from "../../../kit/units.ts";
import { micros } from "../../../kit/units.ts";
import type { BoundLevel, Counting } from "../counting.ts";
import { dropRow, forgetSpent, type BudgetTable, type CellTable } from "../table.ts";
import { extraOf, type RateChange } from "./imitated-rule.ts";

/** After a refusal, every request of the client is refused for this time; then the client has a new budget. */
export const withBlock = <T extends BudgetTable>(
  inner: Counting<T>,
  blockUs: Micros | "per",
): Counting<T> => {
  const lengthUs = ({ table }: BoundLevel<T>): number =>
    blockUs === "per" ? table.perUs : blockUs;
  const untilUs = (bound: BoundLevel<T>): number =>
    bound.table.extras!.get(bound.row)?.untilUs ?? Number.NEGATIVE_INFINITY;
  return {
    ...inner,
    evaluate: (bound, atUs, isWritten, units) => {
      const until = untilUs(bound);
      if (until > atUs) return until - atUs;
      if (Number.isFinite(until)) forgetSpent(bound.table, bound.row);
      const waitUs = inner.evaluate(bound, atUs, isWritten, units);
      return waitUs > 0 && isWritten ? lengthUs(bound) : waitUs;
    },
    writeRefused: (bound, atUs, reply, units) => {
      if (untilUs(bound) > atUs) return;
      inner.writeRefused(bound, atUs, reply, units);
      extraOf(bound).untilUs = atUs + lengthUs(bound);
    },
  };
};

/** After a change of the limit, the next request first adjusts what is left: to the same share or the same units. */
export const withChangedLimit = <T extends BudgetTable>(
  inner: Counting<T>,
  isShare: boolean,
  change: (table: CellTable, row: number, change: RateChange) => void,
): Counting<T> => ({
  ...inner,
  evaluate: (bound, atUs, isWritten, units) => {
    const extra = extraOf(bound);
    const { rate } = bound.level.budget.limit;
    if (!Number.isNaN(extra.rate) && extra.rate !== rate && bound.table.kind !== "log")
      change(bound.table, bound.row, { from: extra.rate, to: rate, atUs, isShare });
    extra.rate = rate;
    return inner.evaluate(bound, atUs, isWritten, units);
  },
});

const FIRST = 0; // a bucket's debt, or a window's start
const SECOND_CELL = 1; // the time of a bucket's debt, or a window's count

export function changeSpent(
  { kind, cells, width, perUs, lastsUs }: CellTable,
  row: number,
  { from, to, atUs, isShare }: RateChange,
): void {
  const at = row * width;
  if (kind === "counter") {
    const left = Math.max(0, from - Math.max(0, cells[at + SECOND_CELL]!));
    cells[at + SECOND_CELL] = to - Math.min(to, isShare ? Math.floor((left * to) / from) : left);
    return;
  }
  const elapsedUs = Math.max(0, atUs - cells[at + SECOND_CELL]!);
  const debt = elapsedUs >= lastsUs ? 0 : Math.max(0, cells[at + FIRST]! - elapsedUs * from);
  cells[at + FIRST] = isShare ? (debt * to) / from : Math.max(0, debt + (to - from) * perUs);
  cells[at + SECOND_CELL] = atUs;
}

/** Stores at most `keys` budgets and drops the least recently used one. Its client then gets a new budget. */
export const withFewKeys = <T extends BudgetTable>(
  inner: Counting<T>,
  keys: number,
): Counting<T> => ({
  ...inner,
  evaluate: (bound, atUs, isWritten, units) => {
    const { table, row } = bound;
    const extras = table.extras!;
    const extra = extraOf(bound);
    extras.delete(row);
    extras.set(row, extra);
    for (const [oldest] of extras) {
      if (extras.size <= keys) break;
      dropRow(table, oldest);
    }
    return inner.evaluate(bound, atUs, isWritten, units);
  },
});

/** Uses the time of the clock's last step for everything; a wait ends at a step. */
export function withCoarseClock<T extends BudgetTable>(
  inner: Counting<T>,
  stepUs: Micros,
): Counting<T> {
  const stepOf = (us: number): Micros => micros(us - (us % stepUs));
  const waitFrom = (atUs: number, waitUs: number): number => {
    if (waitUs === 0 || !Number.isFinite(waitUs)) return waitUs;
    return Math.ceil((stepOf(atUs) + waitUs) / stepUs) * stepUs - atUs;
  };
  return {
    ...inner,
    evaluate: (bound, atUs, isWritten, units) =>
      waitFrom(atUs, inner.evaluate(bound, stepOf(atUs), isWritten, units)),
    ...(inner.delay === undefined
      ? {}
      : {
          delay: (bound: BoundLevel<T>, atUs: Micros) =>
            Math.max(0, stepOf(atUs) + inner.delay!(bound, stepOf(atUs)) - atUs),
        }),
    spend: (bound, index, atUs, reply, units) =>
      inner.spend(bound, index, stepOf(atUs), reply, units),
    writeRefused: (bound, atUs, reply, units) =>
      inner.writeRefused(bound, stepOf(atUs), reply, units),
    remaining: (bound, atUs) => inner.remaining(bound, stepOf(atUs)),
    fullUs: (bound, atUs) => Math.max(atUs, inner.fullUs(bound, stepOf(atUs))),
    nextWait: (bound, atUs) => waitFrom(atUs, inner.nextWait(bound, stepOf(atUs))),
    giveBack: (table, row, takenUs, units) => inner.giveBack(table, row, stepOf(takenUs), units),
  };
}
