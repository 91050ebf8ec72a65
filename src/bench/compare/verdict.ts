// From evidence to one of four words. A change counts when chance does not explain it and it is large enough to
// matter; nothing has changed only where all that is likely is too small to matter; everything else is unclear.
import type { Better } from "../../stats/summary.ts";
import type { RelativeEvidence } from "./controls.ts";
import type { Evidence } from "./evidence.ts";
import { repeatsNeeded } from "./repeats-needed.ts";

export type CompareWord = "improved" | "regressed" | "same" | "unclear";

export interface Criteria {
  /** The least change that matters, such as 0.03. */
  readonly minEffect: number;
  /** How often nothing may be taken for something. */
  readonly alpha: number;
  /** How many figures share that chance. */
  readonly questions: number;
}

export interface CompareVerdict {
  readonly word: CompareWord;
  /** Why it is unclear; null with the other words. */
  readonly why: string | null;
  /** Repeats in each run that would settle it, as the spread lets one expect; null: more would not help. */
  readonly needed: number | null;
}

/** With fewer the test cannot find anything, and an interval holds the truth less often than it says. */
export const LEAST_REPEATS = 5;

export interface FigureChange {
  readonly evidence: Evidence;
  /** The same, divided by what controls measured: what they did without the code, the code did not do. */
  readonly relative: readonly RelativeEvidence[];
  /** Controls that have changed themselves. */
  readonly moved: readonly string[];
  /** The largest of all that evidence, or corrected for how many figures are judged. */
  readonly p: number;
  readonly better: Better;
}

export function verdictOf(
  { evidence, relative, moved, p, better }: FigureChange,
  criteria: Criteria,
): CompareVerdict {
  const { base, head, interval } = evidence;
  const { minEffect, alpha } = criteria;
  if (isOneValue(evidence)) return certain("same");
  const repeats = Math.min(base.repeats, head.repeats);
  const repeatsFor = (effect: number): number | null => repeatsNeeded(evidence, effect, criteria);
  if (repeats < LEAST_REPEATS)
    return unclear(
      `fewer than ${LEAST_REPEATS} repeats say nothing`,
      Math.max(LEAST_REPEATS, repeatsFor(minEffect) ?? 0),
    );
  const change = changeOf(evidence);
  const least = Math.log1p(minEffect);
  if (Math.abs(change) >= least) {
    const all = [evidence, ...relative.map((one) => one.evidence)];
    // What is large and yet not found needs more, however good the estimate makes it look.
    const byChance = (of: readonly Evidence[]): CompareVerdict =>
      unclear(MAYBE_CHANCE, Math.max(2 * repeats, ...of.map((one) => toShow(one, criteria) ?? 0)));
    if (isByChance(evidence, alpha)) return byChance([evidence]);
    const other = relative.find((one) => {
      const own = changeOf(one.evidence);
      return Math.sign(own) !== Math.sign(change) || Math.abs(own) < least;
    });
    if (other !== undefined)
      return unclear(
        `beside ${other.control} the change is not there: the machine may have changed`,
        null,
      );
    if (p >= alpha || all.some((one) => isByChance(one, alpha))) return byChance(all);
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

/** As a logarithm, in which twice is as far away as half; beside nothing every change is endless. */
const changeOf = ({ ratio }: Evidence): number =>
  ratio === null ? Number.POSITIVE_INFINITY : Math.log(ratio);

/**
 * Both have to agree. The test asks whether anything differs, and finds it as often as alpha says where nothing does;
 * the interval asks about medians, and is wider than it promises when repeats are few.
 */
const isByChance = ({ p, interval }: Evidence, alpha: number): boolean =>
  p >= alpha || (interval !== null && interval.low <= 1 && interval.high >= 1);

/** The repeats that would show a change of the size that was seen; null where it has no size. */
function toShow(evidence: Evidence, criteria: Criteria): number | null {
  const size = Math.expm1(Math.abs(changeOf(evidence)));
  return Number.isFinite(size) && size > 0 ? repeatsNeeded(evidence, size, criteria) : null;
}

/** The repeats that go with it would show a change of that size; that there is none takes more. */
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

/** What is counted and not timed can be the same to the last digit. */
const isOneValue = ({ base, head }: Evidence): boolean =>
  base.min === base.max && head.min === head.max && base.min === head.min;
