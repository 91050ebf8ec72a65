// Bootstrap confidence intervals of a median, and of a ratio of two medians. The measured repeats are drawn again with
// replacement many times; each draw gives one result, and the middle part of all results is the interval.
import type { Rng } from "../chance/rng.ts";

export interface ConfidenceInterval {
  readonly low: number;
  readonly high: number;
}

interface Resampling {
  readonly resamples: number;
  /** The probability that the interval contains the true value, for example 0.95. */
  readonly confidence: number;
}

export function medianInterval(
  values: readonly number[],
  { resamples, confidence }: Resampling,
  random: Rng,
): ConfidenceInterval {
  const [first] = values;
  // Every draw of equal values has this median.
  if (first !== undefined && values.every((value) => Object.is(value, first)))
    return { low: first, high: first };
  return middleOf(drawAll(resamples, drawMedian(values, random)), confidence);
}

/** The interval of head's median divided by base's median. Repeats are not paired, so each side is drawn alone. */
export function ratioInterval(
  base: readonly number[],
  head: readonly number[],
  { resamples, confidence }: Resampling,
  random: Rng,
): ConfidenceInterval {
  const drawBase = drawMedian(base, random);
  const drawHead = drawMedian(head, random);
  const drawRatio = (): number => ratioOf(drawHead(), drawBase());
  return middleOf(drawAll(resamples, drawRatio), confidence);
}

/** `Float64Array.from` takes several times as long. */
function drawAll(count: number, draw: () => number): Float64Array {
  const drawn = new Float64Array(count);
  for (let i = 0; i < count; i++) drawn[i] = draw();
  return drawn;
}

/** 1 if the medians are equal, even if both are zero. */
export const ratioOf = (head: number, base: number): number => (head === base ? 1 : head / base);

/**
 * Returns a function that draws `values.length` of the values, with replacement, and returns the median of the drawn.
 * The function counts how often each sorted value was drawn, because sorting each draw would take longer.
 */
function drawMedian(values: readonly number[], { next }: Rng): () => number {
  if (values.length === 0) throw new Error("there are no values to draw from");
  const sorted = Float64Array.from(values).toSorted();
  const length = sorted.length;
  const drawn = new Uint32Array(length);
  const lower = (length + 1) >> 1; // rank, from 1, of the median, or of the lower of two middle values
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

/** The middle part of the drawn results, which are sorted in place. */
export function middleOf(drawn: Float64Array, confidence: number): ConfidenceInterval {
  drawn.sort();
  const outside = Math.floor(((1 - confidence) / 2) * drawn.length);
  return { low: drawn[outside]!, high: drawn[drawn.length - 1 - outside]! };
}
