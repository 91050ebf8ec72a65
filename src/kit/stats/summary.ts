// Summaries of repeated measurements. Repeats are few and the machine is busy, so they are medians and whole ranges, and
// ratios are formed pair by pair, because a slow machine slows both halves of a pair.
import { median, medianAbsoluteDeviation } from "simple-statistics";

export type Better = "less" | "more";

export interface Spread {
  readonly median: number;
  readonly mad: number; // median of the distances from the median
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

/** With the median of the distances from the median, which one extreme repeat does not move. */
export function spreadOf(values: readonly number[]): Spread {
  return { ...summarise(values), mad: medianAbsoluteDeviation([...values]) };
}

/** The ratio of a candidate to its control in each repeat. */
export function ratios(
  candidate: readonly number[],
  control: readonly number[],
): readonly number[] {
  if (candidate.length !== control.length)
    throw new Error(`${candidate.length} measurements cannot pair with ${control.length}`);
  return candidate.map((value, i) => value / control[i]!);
}

/** The items in a random order, by Fisher and Yates. */
export function shuffle<T>(items: readonly T[], below: (limit: number) => number): readonly T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }
  return copy;
}
