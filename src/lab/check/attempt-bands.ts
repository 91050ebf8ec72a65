// Groups attempts by their number, into few enough groups for a chart.

export const ATTEMPT_BANDS = [
  { from: 1, to: 1, text: "1st" },
  { from: 2, to: 2, text: "2nd" },
  { from: 3, to: 3, text: "3rd" },
  { from: 4, to: 9, text: "4th to 9th" },
  { from: 10, to: null, text: "10th on" },
] as const satisfies readonly AttemptBand[];

interface AttemptBand {
  readonly from: number; // 1: the first attempt at a request
  readonly to: number | null; // null: no upper end
  readonly text: string;
}

/** The index in `ATTEMPT_BANDS` of an attempt by its number in a history, where the first attempt is number 0. */
export function bandOf(attempt: number): number {
  let band = 0;
  while (band < LAST && attempt >= ENDS[band]!) band++;
  return band;
}

const ENDS = ATTEMPT_BANDS.map(({ to }) => to ?? Number.POSITIVE_INFINITY);
const LAST = ENDS.length - 1;
