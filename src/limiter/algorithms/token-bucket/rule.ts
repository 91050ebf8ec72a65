// Token bucket and GCRA (ALG-C9) are one recurrence seen from two sides. A budget holds its debt:
// units taken and not yet paid back, each times the microseconds of `per`, so that whole
// rates need no rounding and both algorithms decide alike when the burst is the rate. With a rate of six
// decimals a debt is a multiple of a millionth: it is written as one, and compared to half of one. A debt of a long
// window is a double that has no millionths any more: it is compared to the last bits that it has.
// A window after the last request nothing is owed, even where the rate is lower now than when it was taken. A burst above
// the rate takes longer than a window to pay back: then that time is in place of the window.
import type { NumberedRequests } from "../../core/numbered-requests.ts";

export const DEBT_WIDTH = 2;
const DEBT = 0; // times perUs
const WRITTEN = 1;

const MILLIONTHS = 1_000_000; // as in limit.ts
const HALF = 0.5 / MILLIONTHS;

const LAST_BITS = 2 ** -50;

/** By what may be wrong what is left of the debt that was written. */
const slack = (cells: Float64Array, row: number, rate: number): number =>
  Number.isInteger(rate) ? HALF : Math.max(HALF, cells[row * DEBT_WIDTH + DEBT]! * LAST_BITS);

const roundDebt = (debt: number, rate: number): number =>
  Number.isInteger(rate) ? debt : Math.round(debt * MILLIONTHS) / MILLIONTHS;

/** How long after the last request nothing is owed any more, whatever the rate was. */
export const lastsUs = (rate: number, burst: number, perUs: number): number =>
  burst > rate ? Math.ceil((burst * perUs) / rate) : perUs;

/** The same of a level. */
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

/** `burst` is how many may pass at once: floor(rate) for the bucket, the tolerance for GCRA. `longestUs` is `lastsUs`. */
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
  // A gateway whose clock is behind the last writer's must wait for that clock first.
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
 * Decides requests of one unit in turn, as `wait` and `spend` do. What a client has is read and written once for all of its
 * neighbours. Writes the indexes of those that are refused, and returns how many.
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
      const left = debt - elapsed * rate; // below 0 once all is paid back
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

/** When nothing is owed any more; at a rate of 0 nothing ever was. */
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

/** The same without knowing the rate. */
export const paidOffByUs = (cells: Float64Array, row: number, longestUs: number): number =>
  cells[row * DEBT_WIDTH + WRITTEN]! + longestUs;
