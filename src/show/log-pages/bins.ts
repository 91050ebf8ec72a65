// Lengths of bins for charts over the time of a log: few enough to draw, and multiples of each other.
/** In seconds: up to a week the lengths of `counts over time`, then 4 weeks, a year of 52 weeks, and 10 such years. */
const LENGTHS = [
  1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 604_800, 2_419_200, 31_449_600, 314_496_000,
];
/** In seconds, for charts of single times: these bins need not be multiples of each other. */
const FINE = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
  1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 604_800, 2_419_200, 31_449_600, 314_496_000,
];

export interface LogBins {
  readonly binS: number;
  readonly startS: number; // seconds since 1970
  readonly count: number;
}

/** Bins for the time of a log. If bins add up counts, `leastS` is the duration of one count; else it is null. */
export function binsOf(
  firstUs: number,
  lastUs: number,
  mostBins: number,
  leastS: number | null,
): LogBins {
  const [firstS, lastS] = [firstUs / 1_000_000, lastUs / 1_000_000];
  const lengths = leastS === null ? FINE : LENGTHS;
  const fits = (binS: number): boolean =>
    binS >= (leastS ?? 0) && (lastS - firstS) / binS <= mostBins;
  const binS = lengths.find(fits) ?? lengths.at(-1)!;
  const startS = Math.floor(firstS / binS) * binS;
  return { binS, startS, count: Math.max(1, Math.floor((lastS - startS) / binS) + 1) };
}

export const binOf = ({ binS, startS, count }: LogBins, atUs: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor((atUs / 1_000_000 - startS) / binS)));

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
  ["s", 1],
] as const;

export function lengthText(seconds: number): string {
  const unit = UNITS.find(([, size]) => seconds >= size && seconds % size === 0);
  return unit === undefined ? `${seconds * 1000}ms` : `${seconds / unit[1]}${unit[0]}`;
}
