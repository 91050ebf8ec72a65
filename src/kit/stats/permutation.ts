// A permutation test: how often would randomly mixed repeats of two runs differ as much as the measured ones?
import { shuffleInPlace } from "simple-statistics";
import type { Rng } from "../chance/rng.ts";

/**
 * The two-sided p-value of the difference between the mean ranks of two runs. Means of the values themselves would not
 * do: one repeat on a busy machine would dominate the mean of its run.
 */
export function pValue(
  base: readonly number[],
  head: readonly number[],
  permutations: number,
  { next }: Rng,
): number {
  const ranks = evenRanks([...base, ...head]);
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  // The difference of the mean ranks, times the numbers of repeats of both runs: an integer, so that rounding cannot make
  // equal differences unequal.
  const difference = (): number => {
    let ofBase = 0;
    for (let i = 0; i < base.length; i++) ofBase += ranks[i]!;
    return Math.abs(ofBase * ranks.length - total * base.length);
  };
  const measured = difference();
  let asFar = 0;
  for (let i = 0; i < permutations; i++) {
    shuffleInPlace(ranks, next);
    if (difference() >= measured) asFar++;
  }
  // The measured order is one of the possible orders, so it is counted too. Otherwise a sample of orders could give a
  // p-value of 0, which no sample can prove.
  return (asFar + 1) / (permutations + 1);
}

/** Twice the rank of each value, so that the mean rank of equal values is an integer too. */
function evenRanks(values: readonly number[]): number[] {
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
