// The sentinel by its mark (ALG-C5): the step behind each answer leaves a mark at the k-th newest attempt
// plus `per`, and the next request is judged by that mark, as long as the allowance is the one it was made under.
import type { GatewayOptions } from "./configured.ts";
import { never, NO_WAIT, open, UNKNOWN, type Answer } from "./level-answer.ts";
import type { Attempt, Moment, Past } from "./ledger.ts";
import { judgeLog, logStands, waitOf, type InWindow } from "./log.ts";

export interface SentinelRule {
  readonly perUs: number;
  readonly capacity: number; // now
  readonly whole: number; // floor(A), or floor(rate), as the rule now in force has it
  readonly isSmoothed: boolean;
  /** floor(A), or floor(rate), as the write of an attempt found it: the k of its mark. */
  readonly wholeAt: (attempt: Attempt) => number;
  readonly mark: GatewayOptions["sentinelMark"];
}

export function judgeSentinel(
  writes: readonly Past[],
  window: InWindow,
  now: Moment,
  rule: SentinelRule,
  written: boolean,
): Answer {
  if (rule.capacity < 1) return never("the limit admits nothing");
  const last = writes.at(-1)?.attempt;
  if (last === undefined)
    return {
      pass: true,
      refuse: false,
      waitUs: NO_WAIT,
      standing: (left) => logStands(window, rule.whole, rule.perUs, now, left),
      why: "no attempt has left a mark",
    };
  if (rule.mark === "fixed")
    return writes.some(({ counts }) => counts === "maybe")
      ? open("a write is still on its way")
      : judgeFixed(
          writes.map(({ attempt }) => attempt),
          now,
          rule,
        );

  // A mark under the same allowance says what the log says, and one under another does not count.
  const { pass, refuse, why } = judgeLog(window, rule.whole, rule.perUs, now, false);
  return {
    pass,
    refuse,
    waitUs: rule.isSmoothed ? null : waitOf(window, rule.capacity, rule.perUs, now, written),
    standing: (left) => logStands(window, rule.whole, rule.perUs, now, left),
    why: `by the mark of the last attempt: ${why}`,
  };
}

/** Upstream's mark: it lives for `per`, and is set only where there is none. */
function judgeFixed(
  attempts: readonly Attempt[],
  now: Moment,
  { perUs, wholeAt }: SentinelRule,
): Answer {
  let markUs = Number.NEGATIVE_INFINITY;
  for (const attempt of attempts) {
    const inside = attempts.filter(
      (other) => other.row <= attempt.row && other.loUs > attempt.loUs - perUs,
    ).length;
    if (inside >= wholeAt(attempt) && markUs <= attempt.loUs) markUs = attempt.loUs + perUs;
  }
  const leftUs = Math.max(0, markUs - now.loUs);
  return {
    pass: leftUs === 0,
    refuse: leftUs > 0,
    waitUs: { fromUs: leftUs, toUs: leftUs },
    standing: UNKNOWN,
    why: leftUs > 0 ? "the mark still lives" : "no mark lives",
  };
}
