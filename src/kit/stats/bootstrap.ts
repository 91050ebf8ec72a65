// How far a median, or a ratio of two medians, may be from that of endless repeats: the measured repeats are drawn again
// and again, with replacement, and the middle part of the results is the interval.
import type { Rng } from "../chance/rng.ts";

export interface ConfidenceInterval {
  readonly low: number;
  readonly high: number;
}

interface Resampling {
  readonly resamples: number;
  /** Such as 0.95. */
  readonly confidence: number;
}

export function medianInterval(
  values: readonly number[],
  { resamples, confidence }: Resampling,
  random: Rng,
): ConfidenceInterval {
  const draw = drawMedian(values, random);
  return middleOf(
    Float64Array.from({ length: resamples }, () => draw()),
    confidence,
  );
}

/** Of head's median over base's. Each run is drawn separately: repeats of two runs are no pairs. */
export function ratioInterval(
  base: readonly number[],
  head: readonly number[],
  { resamples, confidence }: Resampling,
  random: Rng,
): ConfidenceInterval {
  const drawBase = drawMedian(base, random);
  const drawHead = drawMedian(head, random);
  return middleOf(
    Float64Array.from({ length: resamples }, () => ratioOf(drawHead(), drawBase())),
    confidence,
  );
}

/** Two equal medians, also two zeros, are no change. */
export const ratioOf = (head: number, base: number): number => (head === base ? 1 : head / base);

/**
 * The median of as many draws as there are values. Draws are counted by their position in the sorted values, so that no
 * resample has to be sorted.
 */
function drawMedian(values: readonly number[], { next }: Rng): () => number {
  if (values.length === 0) throw new Error("nothing can be drawn from no values");
  const sorted = Float64Array.from(values).toSorted();
  const length = sorted.length;
  const drawn = new Uint32Array(length);
  const lower = (length + 1) >> 1; // from 1: the place of the median, or of the lower of its two
  const isEven = length % 2 === 0;
  return () => {
    drawn.fill(0);
    for (let i = 0; i < length; i++) drawn[Math.floor(next() * length)]!++;
    let at = 0;
    let seen = drawn[0]!;
    while (seen < lower) seen += drawn[++at]!;
    const low = sorted[at]!;
    if (!isEven) return low;
    while (seen < lower + 1) seen += drawn[++at]!;
    return (low + sorted[at]!) / 2;
  };
}

/** The middle part of what was drawn, which is sorted in place. */
export function middleOf(drawn: Float64Array, confidence: number): ConfidenceInterval {
  drawn.sort();
  const outside = Math.floor(((1 - confidence) / 2) * drawn.length);
  return { low: drawn[outside]!, high: drawn[drawn.length - 1 - outside]! };
}
