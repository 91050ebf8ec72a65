// The sentinel computed from its mark (ALG-C5), which the background write after each response sets and which decides
// the next request. A sliding mark is the k-th newest attempt plus `per`, and applies as long as the allowance is the
// same as at that write. A fixed mark is the time of the write's own attempt plus `per`, and is set only if none is in
// effect. For a request of several units the log decides too.
import type { OracleOptions } from "./configured.ts";
import { never, NEVER_PASSES, NO_WAIT, open, UNKNOWN, type OracleAnswer } from "./level-answer.ts";
import type { LedgerAttempt, Moment, Past } from "./ledger.ts";
import { evaluateLog, logState, waitOf, type InWindow } from "./log.ts";

export interface SentinelRule {
  readonly perUs: number;
  readonly capacity: number; // integer part of the present rate
  readonly whole: number; // integer part of the present allowance, or of the rate without smoothing
  readonly isSmoothed: boolean;
  /** The value of `whole` when an attempt was written; it decided the mark of that attempt. */
  readonly wholeAt: (attempt: LedgerAttempt) => number;
  readonly mark: OracleOptions["sentinelMark"];
  readonly cost: number; // units of the request
}

export function evaluateSentinel(
  writes: readonly Past[],
  window: InWindow,
  now: Moment,
  rule: SentinelRule,
  written: boolean,
): OracleAnswer {
  if (rule.capacity < 1) return never("the limit admits nothing");
  if (rule.cost > 1) return evaluateSeveral(writes, window, now, rule, written);
  if (writes.length === 0)
    return {
      pass: true,
      refuse: false,
      waitUs: NO_WAIT,
      stateAfter: (left) => logState(window, rule.whole, rule.perUs, now, left, rule.cost),
      why: "no attempt has left a mark",
    };
  if (rule.mark === "fixed")
    return writes.some(({ counts }) => counts === "maybe")
      ? open("a write is still on its way")
      : evaluateFixedMark(
          writes.map(({ attempt }) => attempt),
          now,
          rule,
        );

  // A mark of the same allowance decides as the log does. A mark of another allowance is ignored.
  const { pass, refuse, why } = evaluateLog(window, rule.whole, rule.perUs, now, false, 1);
  return {
    pass,
    refuse,
    waitUs: rule.isSmoothed
      ? null
      : waitOf(window, rule.capacity, rule.perUs, now, {
          own: written ? 1 : 0,
          next: 1,
        }),
    stateAfter: (left) => logState(window, rule.whole, rule.perUs, now, left, rule.cost),
    why: `by the mark of the last attempt: ${why}`,
  };
}

/** Decides a request of several units. A mark shows when one unit fits; the log shows when several do (LIM-C19). */
function evaluateSeveral(
  writes: readonly Past[],
  window: InWindow,
  now: Moment,
  rule: SentinelRule,
  written: boolean,
): OracleAnswer {
  const { whole, perUs, cost, isSmoothed, capacity, mark } = rule;
  const logged = evaluateLog(window, whole, perUs, now, false, cost);
  const units = { own: written ? cost : 0, next: cost };
  const waitUs =
    isSmoothed && capacity >= cost ? null : waitOf(window, capacity, perUs, now, units);
  const why = `by the log, because several units have to fit: ${logged.why}`;
  if (mark === "sliding") return { ...logged, waitUs, why };
  if (writes.some(({ counts }) => counts === "maybe")) return open("a write is still on its way");
  const marked = evaluateFixedMark(
    writes.map(({ attempt }) => attempt),
    now,
    rule,
  );
  return {
    pass: marked.pass && logged.pass,
    refuse: marked.refuse || logged.refuse,
    waitUs: capacity < cost ? NEVER_PASSES : null,
    stateAfter: UNKNOWN,
    why: marked.refuse ? marked.why : why,
  };
}

/** A `fixed` mark expires after `perUs`, and is set only if no mark exists. */
function evaluateFixedMark(
  attempts: readonly LedgerAttempt[],
  now: Moment,
  { perUs, wholeAt }: SentinelRule,
): OracleAnswer {
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
    stateAfter: UNKNOWN,
    why: leftUs > 0 ? "the mark is still in effect" : "no mark is in effect",
  };
}
