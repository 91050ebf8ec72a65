/**
 * Holm's correction of several p-values: raises each, so that all tests together give a false alarm no more often than
 * one test alone. The smallest is multiplied by the number of tests, the next by one less, and so on; a corrected
 * value is never below that of a smaller p-value.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, at) => at).toSorted((a, b) => pValues[a]! - pValues[b]!);
  const corrected = [...pValues];
  let least = 0;
  for (const [step, at] of order.entries()) {
    least = Math.max(least, Math.min(1, pValues[at]! * (pValues.length - step)));
    corrected[at] = least;
  }
  return corrected;
}
