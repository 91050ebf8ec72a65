/**
 * Holm's correction: p-values of several questions, each raised so that all of them together raise a false
 * alarm no more often than one alone would. The smallest bears the whole number of questions, the next one
 * less; none falls below one that is smaller than itself.
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
