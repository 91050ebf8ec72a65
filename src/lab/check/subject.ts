import type { OracleResults } from "../oracle/expected.ts";
import { evaluateHistory } from "../oracle/evaluate-history.ts";
import { worldOf } from "../oracle/world.ts";
import type { History } from "../scenario/history.ts";
import type { Variant } from "../scenario/types.ts";
import { checkBounds, checkRefusals } from "./budget-rules.ts";
import type { RuleCheck } from "./rule-check.ts";
import { historiesByClock } from "./unknown-clock.ts";

/** The input of every checker. The oracle runs at most once for a history, and only if needed. */
export interface CheckSubject {
  readonly variant: Variant;
  readonly history: History;
  /** Null if the specification does not cover the world (`whyNoOracle`). */
  readonly oracle: () => OracleResults | null;
  /** What budgets may admit and refuse, computed once; null without an oracle. */
  readonly bounds: () => RuleCheck | null;
  readonly refusals: () => RuleCheck | null;
  /** The same by each clock that the gateway may have; itself alone, unless its clock is unknown. */
  readonly byClock: () => readonly CheckSubject[];
}

export function subjectOf({
  variant,
  history,
}: Pick<CheckSubject, "variant" | "history">): CheckSubject {
  const subject: CheckSubject = {
    variant,
    history,
    oracle: memoize(() => judgementOf(variant, history)),
    bounds: memoize(() => checkRule(checkBounds, variant, history)),
    refusals: memoize(() => checkRule(checkRefusals, variant, history)),
    byClock: memoize(() => {
      const histories = historiesByClock(variant, history);
      return histories.length === 1
        ? [subject]
        : histories.map((one) => subjectOf({ variant, history: one }));
    }),
  };
  return subject;
}

function checkRule(
  check: typeof checkBounds,
  variant: Variant,
  history: History,
): RuleCheck | null {
  const world = worldOf(variant, history);
  return world === null ? null : check(history, world);
}

function judgementOf(variant: Variant, history: History): OracleResults | null {
  const world = worldOf(variant, history);
  return world === null ? null : evaluateHistory(history, world);
}

function memoize<T>(compute: () => T): () => T {
  const results: T[] = [];
  return () => {
    if (results.length === 0) results.push(compute());
    return results[0]!;
  };
}
