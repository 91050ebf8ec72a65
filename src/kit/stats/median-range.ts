// The likely range of a median, without a random draw: two of the values themselves.
import type { ConfidenceInterval } from "./bootstrap.ts";

const OUTSIDE = 0.05;

/**
 * The narrowest pair of values, equally far from both ends, that has the true median between it in 95 of 100 cases at
 * least. The count of values below the median is binomial. Null: fewer than six values.
 */
export function medianRange(values: readonly number[]): ConfidenceInterval | null {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  let logarithm = (1 - count) * Math.LN2; // that none is below the median, or none above: too small for a number
  let outside = Math.exp(logarithm);
  let left = -1; // how many values are left out at each end, less one
  while (outside <= OUTSIDE) {
    left++;
    logarithm += Math.log((count - left) / (left + 1));
    outside += Math.exp(logarithm);
  }
  return left < 0 ? null : { low: sorted[left]!, high: sorted[count - 1 - left]! };
}
