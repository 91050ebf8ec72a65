// The series of a history: how many attempts were sent in each bin of time, and how many had each result. Every chart
// counts with these functions, so that charts agree with each other and with "most in any window".
import type { Requests } from "../scenario/history.ts";

type Times = Pick<Requests, "length" | "sentUs" | "toUs" | "answeredUs" | "delayUs">;

/** When the result of an attempt was known: it left for the upstream, was refused or rejected, or was lost. */
export const resultUs = ({ toUs, delayUs }: Pick<Times, "toUs" | "delayUs">, row: number): number =>
  toUs[row]! + delayUs[row]!;

/** The time of the last sending, response or result. A gateway may report a result after the client has a response. */
export function endUsOf(requests: Times): number {
  const { length, sentUs, answeredUs } = requests;
  let endUs = 0;
  for (let row = 0; row < length; row++)
    endUs = Math.max(endUs, sentUs[row]!, answeredUs[row]!, resultUs(requests, row));
  return endUs;
}

/** Equal bins of time, from `fromUs` on. */
export interface TimeBins {
  readonly fromUs: number;
  readonly binUs: number;
  readonly count: number;
}

/** The bins of each row, by its sending time and by the time of its result. */
export interface BinnedRows {
  readonly count: number; // number of bins
  readonly sent: Int32Array; // bin in which the row was sent; below 0 or from `count` on: outside
  readonly result: Int32Array; // bin in which the row's result was known
}

export function binRows(requests: Times, { fromUs, binUs, count }: TimeBins): BinnedRows {
  const { length, sentUs } = requests;
  const sent = new Int32Array(length);
  const result = new Int32Array(length);
  const binOf = (us: number): number =>
    Math.max(-1, Math.min(count, Math.floor((us - fromUs) / binUs)));
  for (let row = 0; row < length; row++) {
    sent[row] = binOf(sentUs[row]!);
    result[row] = binOf(resultUs(requests, row));
  }
  return { count, sent, result };
}

/** How many rows of each group are in each bin. Rows with a group below 0 are not counted. */
export function countsBy(
  rows: BinnedRows,
  when: "sent" | "result",
  groupOf: (row: number) => number,
): ReadonlyMap<number, Float64Array> {
  const { count, [when]: binOf } = rows;
  const counts = new Map<number, Float64Array>();
  for (let row = 0; row < binOf.length; row++) {
    const bin = binOf[row]!;
    const group = bin < 0 || bin >= count ? -1 : groupOf(row);
    if (group < 0) continue;
    let column = counts.get(group);
    if (column === undefined) counts.set(group, (column = new Float64Array(count)));
    column[bin]! += 1;
  }
  return counts;
}
