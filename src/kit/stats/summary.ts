// Summaries of repeated measurements. Repeats are few and machines are busy, so summaries are medians and whole ranges.
// Ratios are computed for each pair, because a slow machine slows both halves of a pair.
import { median, medianAbsoluteDeviation } from "simple-statistics";

export type Better = "less" | "more";

export interface Spread {
  readonly median: number;
  readonly mad: number; // median absolute deviation from the median
  readonly min: number;
  readonly max: number;
}

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function summarise(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error("there is nothing to summarise");
  return { median: median([...values]), min: Math.min(...values), max: Math.max(...values) };
}

/** Uses the median absolute deviation, which one extreme repeat does not change. */
export function spreadOf(values: readonly number[]): Spread {
  return { ...summarise(values), mad: medianAbsoluteDeviation([...values]) };
}

/** The ratio of a candidate to its control for each repeat. */
export function ratios(
  candidate: readonly number[],
  control: readonly number[],
): readonly number[] {
  if (candidate.length !== control.length)
    throw new Error(`${candidate.length} measurements cannot pair with ${control.length}`);
  return candidate.map((value, i) => value / control[i]!);
}

/** The items in random order (Fisher and Yates). */
export function shuffle<T>(items: readonly T[], below: (limit: number) => number): readonly T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }
  return copy;
}
