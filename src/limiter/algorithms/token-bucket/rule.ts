// Token bucket and GCRA (ALG-C9) are one rule. A budget holds a debt: the units that were spent and are not yet paid
// back, each times the microseconds of `per`. So integer rates need no rounding, and both algorithms decide alike if
// the burst equals the rate. With a rate of up to six decimals a debt is rounded to millionths, and a difference of
// half a millionth is ignored. The debt of a long window can be too large for a double to hold millionths; then a
// difference in its last bits is ignored. One window after the last request, the debt is 0, even if the rate was
// lowered since. If the burst is above the rate, the time to pay a whole burst back replaces the window in this rule.
import type { NumberedRequests } from "../../core/numbered-requests.ts";

export const DEBT_WIDTH = 2;
const DEBT = 0; // units times perUs
const WRITTEN = 1;

const MILLIONTHS = 1_000_000; // in 1, as in limit.ts
const HALF = 0.5 / MILLIONTHS;

const LAST_BITS = 2 ** -50;

/** The largest rounding error of a debt: differences below it are ignored. */
const slack = (cells: Float64Array, row: number, rate: number): number =>
  Number.isInteger(rate) ? HALF : Math.max(HALF, cells[row * DEBT_WIDTH + DEBT]! * LAST_BITS);

const roundDebt = (debt: number, rate: number): number =>
  Number.isInteger(rate) ? debt : Math.round(debt * MILLIONTHS) / MILLIONTHS;

/** Microseconds from the last request until the debt is 0, even if the rate has changed. */
export const lastsUs = (rate: number, burst: number, perUs: number): number =>
  burst > rate ? Math.ceil((burst * perUs) / rate) : perUs;

/** `lastsUs` of a level. */
export const lastsUsOf = ({ burst, budget: { limit } }: DebtLevel): number =>
  lastsUs(limit.rate, burst, limit.perUs);

interface DebtLevel {
  readonly burst: number;
  readonly budget: { readonly limit: { readonly rate: number; readonly perUs: number } };
}

function debtAt(
  cells: Float64Array,
  row: number,
  rate: number,
  longestUs: number,
  nowUs: number,
): number {
  const at = row * DEBT_WIDTH;
  const elapsed = nowUs - cells[at + WRITTEN]!;
  if (elapsed >= longestUs) return 0;
  return elapsed > 0 ? Math.max(0, cells[at + DEBT]! - elapsed * rate) : cells[at + DEBT]!;
}

/** Microseconds until one more unit is admitted. `burst`: the units of one instant; `longestUs`: from `lastsUs`. */
export function wait(
  cells: Float64Array,
  row: number,
  rate: number,
  burst: number,
  perUs: number,
  nowUs: number,
  longestUs: number = perUs,
): number {
  if (burst < 1) return Number.POSITIVE_INFINITY;
  const debt = debtAt(cells, row, rate, longestUs, nowUs);
  const excess = debt - (burst - 1) * perUs - slack(cells, row, rate);
  if (excess <= 0) return 0;
  // If another gateway wrote a time after `nowUs`, the debt decreases only from that time on.
  const writtenUs = cells[row * DEBT_WIDTH + WRITTEN]!;
  const paidUs = Math.max(nowUs, writtenUs) + Math.ceil(excess / rate);
  return Math.min(paidUs, writtenUs + longestUs) - nowUs;
}

export function spend(
  cells: Float64Array,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
  units: number,
  longestUs: number = perUs,
): void {
  const at = row * DEBT_WIDTH;
  cells[at + DEBT] = roundDebt(debtAt(cells, row, rate, longestUs, nowUs) + units * perUs, rate);
  cells[at + WRITTEN] = Math.max(cells[at + WRITTEN]!, nowUs);
}

export interface DebtLimit {
  readonly rate: number; // an integer
  readonly burst: number;
  readonly perUs: number;
}

/**
 * Decides requests of one unit in order, as `wait` and `spend` do. Writes the indexes of refused requests, and returns
 * how many. Requests of one client that follow each other share one read and one write of its cells.
 */
export function decideAll(
  cells: Float64Array,
  { rate, burst, perUs }: DebtLimit,
  { count, clients, atUs }: NumberedRequests,
  refused: Int32Array,
): number {
  const most = burst < 1 ? Number.NEGATIVE_INFINITY : (burst - 1) * perUs + HALF;
  let refusals = 0;
  for (let i = 0; i < count;) {
    const row = clients[i]!;
    const at = row * DEBT_WIDTH;
    let debt = cells[at + DEBT]!;
    let writtenUs = cells[at + WRITTEN]!;
    do {
      const nowUs = atUs[i]!;
      const elapsed = nowUs > writtenUs ? nowUs - writtenUs : 0;
      const left = debt - elapsed * rate; // negative once the debt is paid
      if (left <= most) {
        debt = (left > 0 ? left : 0) + perUs;
        writtenUs += elapsed;
      } else refused[refusals++] = i;
      i++;
    } while (i < count && clients[i] === row);
    cells[at + DEBT] = debt;
    cells[at + WRITTEN] = writtenUs;
  }
  return refusals;
}

export function giveBack(cells: Float64Array, row: number, perUs: number, units: number): void {
  const at = row * DEBT_WIDTH;
  cells[at + DEBT] = Math.max(0, cells[at + DEBT]! - units * perUs);
}

export function remaining(
  cells: Float64Array,
  row: number,
  rate: number,
  burst: number,
  perUs: number,
  nowUs: number,
  longestUs: number = perUs,
): number {
  const left = burst * perUs - debtAt(cells, row, rate, longestUs, nowUs);
  return Math.max(0, Math.floor((left + slack(cells, row, rate)) / perUs));
}

/** When the debt is paid. With a rate of 0 there is no debt, because no unit was ever spent. */
export function paidOffUs(
  cells: Float64Array,
  row: number,
  rate: number,
  longestUs: number,
): number {
  const at = row * DEBT_WIDTH;
  const debt = cells[at + DEBT]! - slack(cells, row, rate);
  return cells[at + WRITTEN]! + Math.min(longestUs, Math.ceil(debt / rate));
}

/** The latest time at which the debt is paid, if the rate is unknown. */
export const paidOffByUs = (cells: Float64Array, row: number, longestUs: number): number =>
  cells[row * DEBT_WIDTH + WRITTEN]! + longestUs;
