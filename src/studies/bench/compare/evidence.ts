// Builds what the verdict on one metric needs: the medians of both runs, their ratio, its interval and a p-value.
import type { Rng } from "../../../kit/chance/rng.ts";
import { spreadOf } from "../../../kit/stats/summary.ts";
import { ratioInterval, ratioOf } from "../../../kit/stats/bootstrap.ts";
import type { Evidence } from "./comparison.ts";
import { pValue } from "../../../kit/stats/permutation.ts";

export interface EvidenceEffort {
  readonly permutations: number;
  readonly resamples: number;
  /** The confidence level of the interval, such as 0.95. */
  readonly confidence: number;
}

export function evidenceOf(
  base: readonly number[],
  head: readonly number[],
  { permutations, resamples, confidence }: EvidenceEffort,
  random: Rng,
): Evidence {
  const spread = { base: spreadOf(base), head: spreadOf(head) };
  const interval = ratioInterval(base, head, { resamples, confidence }, random.split("bootstrap"));
  const ratio = ratioOf(spread.head.median, spread.base.median);
  return {
    base: { ...spread.base, repeats: base.length },
    head: { ...spread.head, repeats: head.length },
    ratio: Number.isFinite(ratio) ? ratio : null,
    interval: Number.isFinite(interval.high) ? interval : null,
    p: pValue(base, head, permutations, random.split("permutation")),
  };
}
