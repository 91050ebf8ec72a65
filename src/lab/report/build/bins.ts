// Divides a run into equal bins of time: few enough to distinguish and to store, however long the run was.
import { binRows, endUsOf, type BinnedRows } from "../../check/series.ts";
import { SECOND } from "../../../kit/units.ts";
import type { History } from "../../scenario/history.ts";

const MOST_BINS = 90;
const NICE = [1, 2, 5];

export interface Bins extends BinnedRows {
  readonly binS: number;
  readonly untilS: number;
  readonly used: number; // number of bins that contain requests
}

/** A round number of seconds that gives at most MOST_BINS bins, which a reader can still distinguish. */
export function binSecondsFor(lengthS: number): number {
  for (let power = -3; ; power++)
    for (const nice of NICE) {
      const seconds = nice * 10 ** power;
      if (lengthS / seconds <= MOST_BINS) return Number(seconds.toPrecision(1));
    }
}

/** With fewer bins than this a chart shows too little; then bins are shorter than a window. */
const FEW_BINS = 8;

/**
 * The length of a bin: that of the shortest window if the number of bins is suitable, because the bar of such a bin
 * can be compared with the limit by eye.
 */
function binSecondsOf({ budgets }: History["header"], lengthS: number): number {
  const windowS = Math.min(...budgets.map(({ perUs }) => perUs)) / SECOND;
  const bins = lengthS / windowS;
  return bins >= FEW_BINS && bins <= MOST_BINS && windowS === roundDigits(windowS)
    ? windowS
    : binSecondsFor(lengthS);
}

export function binsOf({ header, requests }: History): Bins {
  const endUs = endUsOf(requests);
  const binS = binSecondsOf(header, Math.max(endUs / SECOND, 0.001));
  // Divides by the same number as `binRows`. In floating point 2.05 / 0.05 is below 41, so a row at 2.05 s had no bin.
  const binUs = binS * SECOND;
  const count = Math.floor(endUs / binUs) + 1;
  const rows = binRows(requests, { fromUs: 0, binUs, count });
  return { ...rows, binS, untilS: roundDigits(count * binS), used: new Set(rows.result).size };
}

export const roundDigits = (value: number): number => Number(value.toPrecision(6));

/** The rows of each bin by sending time, in their order. */
export function rowsByBin({ sent, count }: Bins): readonly (readonly number[])[] {
  const rows = Array.from({ length: count }, (): number[] => []);
  for (let row = 0; row < sent.length; row++) rows[sent[row]!]!.push(row);
  return rows;
}
