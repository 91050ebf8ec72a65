// Token buckets of other products, in the two cells of a debt.
import { paidOffUs, remaining, wait } from "../../algorithms/token-bucket/rule.ts";
import type { Level } from "../../core/store.ts";
import { SECOND } from "../../../kit/units.ts";
import type { BoundLevel, Counting } from "../counting.ts";
import { showBudget } from "../shown-budget.ts";
import type { CellTable } from "../table.ts";
import { DEBT } from "../../algorithms/token-bucket/memory.ts";
import { countingBy, extraOf, type RateChange } from "./imitated-rule.ts";

type Bound = BoundLevel<CellTable>;

const inSeconds = (rate: number, perUs: number): number => rate / (perUs / SECOND);

const perSecond = ({ level, table }: Bound): number =>
  inSeconds(level.budget.limit.rate, table.perUs);

// ---------------------------------------------------------------- buckets of whole tokens

const TAKEN = 0;
const SINCE = 1; // the time of the last admission

/** Tokens taken and not yet refilled. Floating-point seconds give the rounding errors of the imitated limiters. */
function countTaken(bound: Bound, atUs: number): number {
  const { table, row } = bound;
  const at = row * table.width;
  const elapsedS = Math.max(0, atUs - table.cells[at + SINCE]!) / SECOND;
  return Math.max(0, table.cells[at + TAKEN]! - Math.floor(elapsedS * perSecond(bound)));
}

/** Refills whole tokens. Each admission restarts the time until the next token, so fractions are lost. */
export const WHOLE_TOKENS: Counting<CellTable> = countingBy<CellTable>({
  wait: (bound, atUs, units) => {
    const { level, table, row } = bound;
    if (level.burst < units) return Number.POSITIVE_INFINITY;
    if (countTaken(bound, atUs) + units <= level.burst) return 0;
    const at = row * table.width;
    const lacking = table.cells[at + TAKEN]! + units - level.burst;
    const readyUs = table.cells[at + SINCE]! + (lacking / perSecond(bound)) * SECOND;
    return Math.max(1, Math.ceil(readyUs) - atUs);
  },
  spend: (bound, atUs, units) => {
    const { table, row } = bound;
    const at = row * table.width;
    table.cells[at + TAKEN] = countTaken(bound, atUs) + units;
    table.cells[at + SINCE] = atUs;
  },
  refuse: () => {},
  remaining: (bound, atUs) => Math.max(0, bound.level.burst - countTaken(bound, atUs)),
  fullUs: (bound) => {
    const { table, row } = bound;
    const at = row * table.width;
    return (
      table.cells[at + SINCE]! + Math.ceil((table.cells[at + TAKEN]! / perSecond(bound)) * SECOND)
    );
  },
  giveBack: ({ cells, width }, row, _, units) => {
    cells[row * width + TAKEN] = Math.max(0, cells[row * width + TAKEN]! - units);
  },
});

// ---------------------------------------------------------------- buckets that admit on credit

const SAVED = 0; // tokens saved while idle
const NEXT = 1; // when the next request is admitted; 0: no request yet

/** The tokens saved while idle, at most those of one second; a new bucket has none. */
function countSaved(
  { cells, width }: CellTable,
  row: number,
  rate: number, // per second
  atUs: number,
): number {
  const at = row * width;
  const nextUs = cells[at + NEXT]!;
  if (nextUs === 0 || atUs <= nextUs) return cells[at + SAVED]!;
  return Math.min(rate, cells[at + SAVED]! + (atUs - nextUs) / (SECOND / rate));
}

const countTokens = (bound: Bound, atUs: number): number =>
  countSaved(bound.table, bound.row, perSecond(bound), atUs);

const nextOf = ({ table, row }: Bound): number => table.cells[row * table.width + NEXT]!;

/** Admits a request of any cost if the debt is 0; the next request waits until the debt is 0 again. */
export const ON_CREDIT: Counting<CellTable> = countingBy<CellTable>({
  wait: (bound, atUs) =>
    bound.level.burst < 1 ? Number.POSITIVE_INFINITY : Math.max(0, nextOf(bound) - atUs),
  spend: (bound, atUs, units) => {
    const { table, row } = bound;
    const at = row * table.width;
    const saved = countTokens(bound, atUs);
    const fresh = Math.max(0, units - saved);
    table.cells[at + SAVED] = Math.max(0, saved - units);
    table.cells[at + NEXT] =
      Math.max(nextOf(bound), atUs) + Math.trunc(fresh * (SECOND / perSecond(bound)));
  },
  refuse: () => {},
  remaining: (bound, atUs) => (nextOf(bound) > atUs ? 0 : Math.floor(countTokens(bound, atUs)) + 1),
  fullUs: nextOf,
  giveBack: () => {},
});

/** A changed rate changes the saved tokens. A debt stays, because it is stored as a time. */
export function changeSaved(
  table: CellTable,
  row: number,
  { from, to, atUs, isShare }: RateChange,
): void {
  const at = row * table.width;
  const [before, after] = [inSeconds(from, table.perUs), inSeconds(to, table.perUs)];
  const saved = countSaved(table, row, before, atUs);
  table.cells[at + SAVED] = isShare ? (saved * after) / before : Math.min(after, saved);
  if (table.cells[at + NEXT] !== 0)
    table.cells[at + NEXT] = Math.max(table.cells[at + NEXT]!, atUs);
}

// ---------------------------------------------------------------- buckets with a limit for each window

/** A token bucket that also admits at most the rate in a window. The first request after a window begins the next. */
export const WITHIN_WINDOW: Counting<CellTable> = {
  ...DEBT,
  evaluate: (bound, atUs, _, units) => {
    const { level, table, row } = bound;
    const extra = extraOf(bound);
    if (!Number.isFinite(extra.startUs)) extra.startUs = atUs;
    if (level.burst < units) return Number.POSITIVE_INFINITY;
    if (atUs - extra.startUs >= table.perUs) Object.assign(extra, { startUs: atUs, count: 0 });
    const { rate } = level.budget.limit;
    const bucketUs = wait(table.cells, row, rate, level.burst - units + 1, table.perUs, atUs);
    return extra.count + units <= level.capacity
      ? bucketUs
      : Math.max(bucketUs, extra.startUs + table.perUs - atUs);
  },
  spend: (bound, index, atUs, reply, units) => {
    extraOf(bound).count += units;
    DEBT.spend(bound, index, atUs, reply, units);
  },
  remaining: ({ level, table, row }, atUs) =>
    remaining(table.cells, row, level.budget.limit.rate, level.burst, table.perUs, atUs),
  fullUs: ({ level, table, row }, atUs) =>
    Math.max(atUs, paidOffUs(table.cells, row, level.budget.limit.rate, table.perUs)),
};

// ---------------------------------------------------------------- buckets that are never stored

/** Whether twice the time to fill the bucket is less than a second, the shortest lifetime that can be stored. */
export const isNeverStored = (level: Level, { perUs }: CellTable): boolean =>
  level.capacity > 0 && (2 * level.burst * perUs) / level.budget.limit.rate < SECOND;

/** The bucket is never stored, so each request finds it full. */
export const NEVER_STORED: Counting<CellTable> = {
  ...DEBT,
  evaluate: ({ level }, _atUs, _isWritten, units) =>
    level.burst < units ? Number.POSITIVE_INFINITY : 0,
  spend: (bound, index, atUs, reply) => showBudget(bound, index, atUs, reply),
  giveBack: () => {},
};
