// Turns evidence into one of four words. A change is found if chance does not explain it and it is large enough
// to matter. A metric is the same only if every likely change is too small to matter. Everything else is unclear.
import type { Better } from "../../../kit/stats/summary.ts";
import { probit } from "simple-statistics";
import type { CompareVerdict, CompareWord, Evidence, RelativeEvidence } from "./comparison.ts";

interface Criteria {
  /** The smallest change that matters, such as 0.03. */
  readonly minEffect: number;
  /** The probability with which chance may be reported as a change. */
  readonly alpha: number;
  /** The number of metrics that are tested together: `alpha` applies to all of them. */
  readonly questions: number;
}

/** The fewest repeats of a run for a verdict. With fewer, no change is significant, and intervals are unreliable. */
export const LEAST_REPEATS = 5;
/** No spread of so few repeats is known well enough for an estimate of the repeats that are needed. */
export const TOO_FEW = `fewer than ${LEAST_REPEATS} repeats prove nothing`;

export interface FigureChange {
  readonly evidence: Evidence;
  /** The metric divided by each control: if both changed alike, the machine changed and not the code. */
  readonly relative: readonly RelativeEvidence[];
  /** Names of the controls that changed more than chance explains. */
  readonly moved: readonly string[];
  /** The largest p-value of `evidence` and `relative`, or that value corrected for the number of metrics. */
  readonly p: number;
  readonly better: Better;
}

export function verdictOf(
  { evidence, relative, moved, p, better }: FigureChange,
  criteria: Criteria,
): CompareVerdict {
  const { base, head, interval } = evidence;
  const { minEffect, alpha, questions } = criteria;
  if (isOneValue(evidence)) return certain("same");
  const repeats = Math.min(base.repeats, head.repeats);
  const repeatsFor = (effect: number): number | null => repeatsNeeded(evidence, effect, criteria);
  if (repeats < LEAST_REPEATS)
    return unclear(TOO_FEW, Math.max(LEAST_REPEATS, repeatsFor(minEffect) ?? 0));
  const change = changeOf(evidence);
  const least = Math.log1p(minEffect);
  if (Math.abs(change) >= least) {
    const all = [evidence, ...relative.map((one) => one.evidence)];
    // If the test does not confirm a large change, at least twice the repeats are needed, whatever the estimate.
    const byChance = (of: readonly Evidence[], where: string): CompareVerdict =>
      unclear(
        `${where}${MAYBE_CHANCE}`,
        Math.max(2 * repeats, ...of.map((one) => toShow(one, criteria) ?? 0)),
      );
    if (isByChance(evidence, alpha))
      return byChance(
        [evidence],
        excludesNoChange(evidence) ? `by a test of all repeats (p ${evidence.p.toFixed(3)}) ` : "",
      );
    const other = relative.find((one) => {
      const own = changeOf(one.evidence);
      return Math.sign(own) !== Math.sign(change) || Math.abs(own) < least;
    });
    if (other !== undefined)
      return unclear(
        `relative to ${other.control} there is no such change: the machine may have changed`,
        null,
      );
    const doubtful = relative.find((one) => isByChance(one.evidence, alpha));
    if (doubtful !== undefined) return byChance(all, `relative to ${doubtful.control} `);
    if (p >= alpha) return byChance(all, `with ${questions} gates at once `);
    return certain(change < 0 === (better === "less") ? "improved" : "regressed");
  }
  if (interval !== null && interval.low > 1 / (1 + minEffect) && interval.high < 1 + minEffect)
    return moved.length === 0
      ? certain("same")
      : unclear(`the machine may have changed, as ${moved.join(" and ")} did`, null);
  const more = repeatsFor(minEffect);
  return more !== null && more > repeats
    ? unclear("the change may be large enough to matter, or not", more)
    : unclear(
        "the change is about as large as what matters, so that more repeats hardly help",
        null,
      );
}

/** Whether a control has changed beyond chance, and by as much as matters. */
export const hasMoved = (
  evidence: Evidence,
  { minEffect, alpha }: Pick<Criteria, "minEffect" | "alpha">,
): boolean => Math.abs(changeOf(evidence)) >= Math.log1p(minEffect) && !isByChance(evidence, alpha);

/** The logarithm of the ratio, so that twice and half are equally far from 0. A change from zero is infinite. */
const changeOf = ({ ratio }: Evidence): number =>
  ratio === null ? Number.POSITIVE_INFINITY : Math.log(ratio);

/**
 * Whether the change may be chance. It is not chance if `p` is below `alpha` and the interval excludes 1. Both are
 * required: the test alone finds a change in a share `alpha` of equal runs, and the interval is about medians only.
 */
const isByChance = ({ p, interval }: Evidence, alpha: number): boolean =>
  p >= alpha || (interval !== null && !excludesNoChange({ interval }));

/** Whether the interval has only changes of one direction. */
export const excludesNoChange = ({ interval }: Pick<Evidence, "interval">): boolean =>
  interval !== null && (interval.low > 1 || interval.high < 1);

/** The number of repeats that would show a change of the measured size; null if this size is 0 or infinite. */
function toShow(evidence: Evidence, criteria: Criteria): number | null {
  const size = Math.expm1(Math.abs(changeOf(evidence)));
  return Number.isFinite(size) && size > 0 ? repeatsNeeded(evidence, size, criteria) : null;
}

/** For a verdict whose reason ends so, `needed` repeats confirm the change. To show that there is none takes more. */
export const MAYBE_CHANCE = "chance may explain the change";

const certain = (word: Exclude<CompareWord, "unclear">): CompareVerdict => ({
  word,
  why: null,
  needed: null,
});

const unclear = (why: string, needed: number | null): CompareVerdict => ({
  word: "unclear",
  why,
  needed,
});

/** Whether all repeats of both runs have the same value, which is usual for a metric that is counted, not timed. */
const isOneValue = ({ base, head }: Evidence): boolean =>
  base.min === base.max && head.min === head.max && base.min === head.min;

/** The probability that the number of repeats that `repeatsNeeded` returns gives a clear verdict. */
const CHANCE = 0.9;

/**
 * Estimates how many repeats each run needs to show a change of `effect`, or to show that there is none. The width
 * of the interval measures how far medians scatter; it shrinks with the square root of the number of repeats.
 */
function repeatsNeeded(
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
