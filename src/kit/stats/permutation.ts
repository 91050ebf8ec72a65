// Whether repeats of two runs can have come from the same source: by chance alone, how often would mixing
// them up set them as far apart?
import { permutationTest } from "simple-statistics";
import type { Rng } from "../chance/rng.ts";

/**
 * Two-sided, by the difference of mean ranks. Ranks, because the library's test compares means: one repeat
 * during which the machine was busy would be the mean, and would hide what all other repeats agree on.
 */
export function pValue(
  base: readonly number[],
  head: readonly number[],
  permutations: number,
  { next }: Rng,
): number {
  const ranks = evenRanks([...base, ...head]);
  // The library divides sums of ranks by the number of repeats, and counts what is at least as far apart.
  // Multiplied by both numbers every mean is whole, so that what is equal is never taken for less.
  const whole = ranks.map((rank) => rank * base.length * head.length);
  const share = permutationTest(
    whole.slice(0, base.length),
    whole.slice(base.length),
    "two_side",
    permutations,
    next,
  );
  // The order that was measured is one of those that chance could have made: of a sample of orders alone,
  // a share of 0 would claim more than so few can show.
  return (Math.round(share * permutations) + 1) / (permutations + 1);
}

/** Twice the rank of each value; equal values share the mean of theirs, which is half a number at worst. */
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
