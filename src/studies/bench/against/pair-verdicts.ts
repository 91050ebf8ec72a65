// Derives the verdict of a gate from its pairs. The number of pairs is fixed here; until.ts adds pairs as needed.
import { mean, probit, sampleStandardDeviation } from "simple-statistics";
import type { Rng } from "../../../kit/chance/rng.ts";
import type { Better } from "../../../kit/stats/summary.ts";
import type { ConfidenceInterval } from "../../../kit/stats/bootstrap.ts";
import { holm } from "../../../kit/stats/holm.ts";
import type { CompareWord } from "../compare/comparison.ts";
import {
  differencesFrom,
  EFFORT,
  estimateChange,
  flipQuantile,
  signFlipP,
  type FlipEffort,
  type PairRounds,
} from "../../../kit/stats/sign-flip.ts";

export interface PairQuestion {
  /** The smallest change that matters, such as 0.03. */
  readonly minEffect: number;
  /** The probability that a run of two equal versions reports a change at any gate. */
  readonly alpha: number;
  readonly effort?: FlipEffort;
}

export interface GatePairs {
  readonly pairs: PairRounds;
  readonly better: Better;
}

interface PairEvidence {
  readonly pairs: number;
  /** The value of head divided by that of base. */
  readonly ratio: number;
  /** The changes that the sign-flip test does not exclude, at this gate's part of alpha. */
  readonly interval: ConfidenceInterval;
  /** The p-value of this gate, not corrected for the number of gates. */
  readonly p: number;
  /** A change of this size, such as 0.08, would have been found in 95 of 100 such runs. */
  readonly least: number;
}

export interface PairVerdict {
  readonly word: CompareWord;
  readonly why: string | null; // null unless the word is "unclear"
  readonly evidence: PairEvidence | null; // null: no pair was measured
}

/** The fewest pairs that can show a change: with fewer, chance alone can make all pairs agree too often. */
export const leastPairs = (gates: number, alpha: number): number =>
  1 + Math.floor(Math.log2(gates / alpha)) + 1;

const TOO_FEW = "too few pairs to show anything";

/** Decides each gate from all pairs of a run. Holm's correction keeps false alarms of all gates within alpha. */
export function decidePairs(
  gates: readonly GatePairs[],
  question: PairQuestion,
  random: Rng,
): readonly PairVerdict[] {
  const all = gates.map(({ pairs }, at) =>
    pairs.length === 0 ? null : evidenceOf(pairs, gates.length, question, random.split(`${at}`)),
  );
  const corrected = holm(all.map((evidence) => evidence?.p ?? 1));
  return gates.map(({ pairs, better }, at) => {
    const evidence = all[at] ?? null;
    if (evidence === null) return unclear("it was not measured", null);
    if (pairs.length < leastPairs(gates.length, question.alpha)) return unclear(TOO_FEW, evidence);
    const change = Math.log(evidence.ratio);
    const isFound = corrected[at]! < question.alpha;
    if (isFound && Math.abs(change) >= Math.log1p(question.minEffect))
      return { word: wordOf(change, better), why: null, evidence };
    if (isSame(pairs, gates.length, question, random.split(`${at}/same`)))
      return { word: "same", why: null, evidence };
    return unclear(
      isFound ? "it has changed, perhaps by too little to matter" : "chance may explain the change",
      evidence,
    );
  });
}

export const wordOf = (change: number, better: Better): CompareWord =>
  change < 0 === (better === "less") ? "improved" : "regressed";

export const unclear = (why: string, evidence: PairEvidence | null): PairVerdict => ({
  word: "unclear",
  why,
  evidence,
});

/** Whether the sign-flip test excludes changes of `minEffect` in both directions. */
function isSame(
  pairs: PairRounds,
  gates: number,
  { minEffect, alpha, effort = EFFORT }: PairQuestion,
  random: Rng,
): boolean {
  const margin = Math.log1p(minEffect);
  return [1, -1].every((direction) => {
    const differences = differencesFrom(pairs, direction * margin);
    const isOnTheOtherSide = direction * mean([...differences]) < 0;
    return isOnTheOtherSide && signFlipP(differences, random, effort) < alpha / gates;
  });
}

export function evidenceOf(
  pairs: PairRounds,
  gates: number,
  { alpha, effort = EFFORT }: PairQuestion,
  random: Rng,
): PairEvidence {
  const change = estimateChange(pairs);
  const left = differencesFrom(pairs, change);
  const level = alpha / gates;
  const away = flipQuantile(left, 1 - level, random.split("interval"), effort);
  return {
    pairs: pairs.length,
    ratio: Math.exp(change),
    interval: { low: Math.exp(change - away), high: Math.exp(change + away) },
    p: signFlipP(differencesFrom(pairs, 0), random.split("p"), effort),
    least: leastFound(left, level),
  };
}

/**
 * The factor for the textbook formula of a t test, which is too optimistic, because pairs do not scatter as it assumes.
 * The recorded pools need factors of 1.2 to 1.8. With 1.6, a change of the printed size is found at least 95 times of
 * 100 (test/studies/bench/against/power-in-full.test.ts).
 */
const KINDNESS = 1.6;
const CHANCE = 0.95;

function leastFound(left: readonly number[], level: number): number {
  const freedom = left.length - 1;
  if (freedom < 5) return Number.POSITIVE_INFINITY; // too few to show anything, and the expansion below does not hold
  const error = sampleStandardDeviation([...left]) / Math.sqrt(left.length);
  const sure = studentQuantile(1 - level / 2, freedom) + studentQuantile(CHANCE, freedom);
  return Math.expm1(KINDNESS * sure * error);
}

/** A quantile of Student's t distribution, by Cornish and Fisher's expansion: within 0.5 % for 7 degrees or more. */
export function studentQuantile(share: number, freedom: number): number {
  const z = probit(share);
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}

/** The number of pairs that finds a change of `wanted`: the error shrinks with the root of the number of pairs. */
export const pairsFor = ({ pairs, least }: PairEvidence, wanted: number): number =>
  Math.ceil(pairs * (Math.log1p(least) / Math.log1p(wanted)) ** 2);
