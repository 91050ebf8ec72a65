// A run's time in equal bins: few enough to distinguish and to store, however long it lasted.
import { SECOND } from "../../core/units.ts";
import type { History } from "../../scenario/history.ts";

const MOST_BINS = 90;
const NICE = [1, 2, 5];

export interface Bins {
  readonly count: number;
  readonly binS: number;
  readonly untilS: number;
  readonly of: Uint8Array; // by row; a count of bins fits
  readonly used: number; // bins in which there are requests
}

/** A round number of seconds, so that a run has no more bins than a reader can distinguish. */
export function binSecondsFor(lengthS: number): number {
  for (let power = -3; ; power++)
    for (const nice of NICE) {
      const seconds = nice * 10 ** power;
      if (lengthS / seconds <= MOST_BINS) return Number(seconds.toPrecision(1));
    }
}

/** Fewer bins than these show little. */
const FEW_BINS = 8;

/**
 * Bins as long as the shortest window, where that makes enough of them and not too many: then what is admitted in
 * a bin can be compared with the limit by eye.
 */
function binSecondsOf({ budgets }: History["header"], lengthS: number): number {
  const windowS = Math.min(...budgets.map(({ perUs }) => perUs)) / SECOND;
  const bins = lengthS / windowS;
  return bins >= FEW_BINS && bins <= MOST_BINS && windowS === roundDigits(windowS)
    ? windowS
    : binSecondsFor(lengthS);
}

/** The time of a request: as planned, and of a retry as sent. */
export const timeOf = ({ requests }: History, row: number): number =>
  requests.attempt[row] === 0 ? requests.plannedUs[row]! : requests.sentUs[row]!;

export function binsOf(history: History): Bins {
  const { length } = history.requests;
  let lastUs = 0;
  for (let row = 0; row < length; row++) lastUs = Math.max(lastUs, timeOf(history, row));
  const lengthS = Math.max(lastUs / SECOND, 0.001);
  const binS = binSecondsOf(history.header, lengthS);
  const count = Math.floor(lengthS / binS) + 1;
  const of = new Uint8Array(length);
  const binUs = binS * SECOND;
  const isUsed = new Uint8Array(count);
  let used = 0;
  for (let row = 0; row < length; row++) {
    const bin = Math.min(count - 1, Math.floor(timeOf(history, row) / binUs));
    of[row] = bin;
    used += 1 - isUsed[bin]!;
    isUsed[bin] = 1;
  }
  return { count, binS, untilS: roundDigits(count * binS), of, used };
}

export const roundDigits = (value: number): number => Number(value.toPrecision(6));

/** How many rows of each group fall into each bin; a group below 0 is none. */
export function countsBy(
  { of, count }: Bins,
  groupOf: (row: number) => number,
): ReadonlyMap<number, Float64Array> {
  const counts = new Map<number, Float64Array>();
  for (let row = 0; row < of.length; row++) {
    const group = groupOf(row);
    if (group < 0) continue;
    let column = counts.get(group);
    if (column === undefined) counts.set(group, (column = new Float64Array(count)));
    column[of[row]!]! += 1;
  }
  return counts;
}

/** The rows of each bin, in their order. */
export function rowsByBin({ of, count }: Bins): readonly (readonly number[])[] {
  const rows = Array.from({ length: count }, (): number[] => []);
  for (let row = 0; row < of.length; row++) rows[of[row]!]!.push(row);
  return rows;
}
