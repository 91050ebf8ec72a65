// A permutation test: how often would randomly mixed repeats of two runs differ as much as the measured ones?
import { permutationTest } from "simple-statistics";
import type { Rng } from "../chance/rng.ts";

/**
 * The two-sided p-value of the difference between the mean ranks of two runs. The library's test compares means:
 * without ranks, one repeat on a busy machine would dominate the mean of its run.
 */
export function pValue(
  base: readonly number[],
  head: readonly number[],
  permutations: number,
  { next }: Rng,
): number {
  const ranks = evenRanks([...base, ...head]);
  // The library divides the sum of a run's ranks by the run's number of repeats. Each rank is multiplied by the numbers
  // of repeats of both runs: all means are integers, and rounding cannot make equal differences unequal.
  const whole = ranks.map((rank) => rank * base.length * head.length);
  const share = permutationTest(
    whole.slice(0, base.length),
    whole.slice(base.length),
    "two_side",
    permutations,
    next,
  );
  // The measured order is one of the possible orders, so it is counted too. Otherwise a sample of orders could give a
  // p-value of 0, which no sample can prove.
  return (Math.round(share * permutations) + 1) / (permutations + 1);
}

/** Twice the rank of each value, so that the mean rank of equal values is an integer too. */
function evenRanks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const ends = new Map<number, { readonly first: number; last: number }>();
  for (const [at, value] of sorted.entries()) {
    const known = ends.get(value);
    if (known === undefined) ends.set(value, { first: at, last: at });
    else known.last = at;
  }
  return values.map((value) => {
    const { first, last } = ends.get(value)!;
    return first + last + 2;
  });
}
