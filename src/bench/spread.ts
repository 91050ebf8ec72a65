// What a handful of repeats comes to. Medians, because one repeat in which the machine did something else
// must not move the figure.
import type { Spread } from "./result.ts";

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const median = medianOfSorted(sorted);
  return { median, mad: madAround(median, values), min: sorted[0]!, max: sorted.at(-1)! };
}

export const medianOf = (values: readonly number[]): number =>
  medianOfSorted(values.toSorted((a, b) => a - b));

function medianOfSorted(sorted: readonly number[]): number {
  if (sorted.length === 0) throw new Error("nothing has no median");
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const madAround = (median: number, values: readonly number[]): number =>
  medianOf(values.map((value) => Math.abs(value - median)));
