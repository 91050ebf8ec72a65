// What is made of repeated measurements. Few repeats and a busy machine: medians and the whole
// range, and ratios formed pair by pair, because what slows one half of a pair slows the other too.
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

/** With the median of the distances from the median, which one wild repeat does not move. */
export function spreadOf(values: readonly number[]): Spread {
  return { ...summarise(values), mad: medianAbsoluteDeviation([...values]) };
}

/** How many times its control a candidate measured, repeat by repeat. */
export function ratios(
  candidate: readonly number[],
  control: readonly number[],
): readonly number[] {
  if (candidate.length !== control.length)
    throw new Error(`${candidate.length} measurements cannot pair with ${control.length}`);
  return candidate.map((value, i) => value / control[i]!);
}

/** How many times as good as its control a candidate is, repeat by repeat: above 1 it wins. */
export const advantages = (
  candidate: readonly number[],
  control: readonly number[],
  better: Better,
): readonly number[] =>
  better === "less" ? ratios(control, candidate) : ratios(candidate, control);

/** The best of several controls in each repeat: whoever beats it beats them all. */
export function bestOf(
  controls: readonly (readonly number[])[],
  better: Better,
): readonly number[] {
  const [first] = controls;
  if (first === undefined) throw new Error("the best of no controls is nobody");
  const best = better === "less" ? Math.min : Math.max;
  return first.map((_, i) => best(...controls.map((values) => values[i]!)));
}

/** The same names in another order, by Fisher and Yates. */
export function shuffle<T>(items: readonly T[], below: (limit: number) => number): readonly T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }
  return copy;
}
