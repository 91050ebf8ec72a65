import { probit } from "simple-statistics";
import type { Evidence } from "./evidence.ts";

/** The chance that this number of repeats gives a clear result. */
const CHANCE = 0.9;

/**
 * The number of repeats that each run needs to show a change of `effect`, or its absence. An estimate: the interval shows
 * how far medians scatter with the present repeats, and shrinks with the root of their number.
 */
export function repeatsNeeded(
  { base, head, interval }: Evidence,
  effect: number,
  { alpha, questions }: { readonly alpha: number; readonly questions: number },
): number | null {
  if (interval === null || interval.low <= 0) return null;
  const width = Math.log(interval.high / interval.low);
  const error = width / (2 * probit(1 - alpha / 2));
  const ofOne = error ** 2 / (1 / base.repeats + 1 / head.repeats);
  const certainty = probit(1 - alpha / (2 * questions)) + probit(CHANCE);
  return Math.ceil(2 * ofOne * (certainty / Math.log1p(effect)) ** 2);
}
