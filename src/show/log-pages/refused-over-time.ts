// Charts of counts over the time of a log.
import type { DatedFigure } from "../../lab/report/measured-figures.ts";
import { binOf, lengthText, type LogBins } from "./bins.ts";

/** Adds up the counts of steps, which begin at `timesUs`. */
export function sumBins(
  bins: LogBins,
  timesUs: readonly number[],
  counts: readonly number[],
): readonly number[] {
  const sums = Array.from({ length: bins.count }, () => 0);
  for (const [step, count] of counts.entries()) sums[binOf(bins, timesUs[step]!)]! += count;
  return sums;
}

export interface CountsOverTime {
  readonly title: string;
  readonly what: string; // noun of the values
  readonly values: readonly number[];
  readonly top: number | null; // of the scale; null: the largest value
}

export const countsFigure = (
  { binS, startS, count }: LogBins,
  { title, what, values, top }: CountsOverTime,
): DatedFigure => ({
  kind: "time",
  shows: top === null ? "demand" : "candidate",
  title,
  unit: `requests in each ${lengthText(binS)}`,
  startS,
  untilS: count * binS,
  binS,
  bars: [{ what, values }],
  curves: [],
  lines: [],
  limits: [],
  spans: [],
  marks: [],
  top,
});
