import type { OracleResults } from "../oracle/expected.ts";
import { evaluateHistory } from "../oracle/evaluate-history.ts";
import { worldOf } from "../oracle/world.ts";
import type { History } from "../scenario/history.ts";
import type { Variant } from "../scenario/types.ts";
import { checkBounds, checkRefusals } from "./budget-rules.ts";
import type { RuleCheck } from "./rule-check.ts";
import { micros } from "../../kit/units.ts";
import { entriesOf } from "../oracle/entries.ts";
import { clockDifferenceUs, clockWindowsUs, CLOCKS_DIFFER_US } from "../oracle/other-clock.ts";

/** The input of every checker. The oracle runs at most once for a history, and only if a checker needs it. */
export interface CheckSubject {
  readonly variant: Variant;
  readonly history: History;
  /** Null if the specification does not cover the world (`whyNoOracle`). */
  readonly oracle: () => OracleResults | null;
  /** The checks of what budgets admitted and refused, computed once; null without an oracle. */
  readonly bounds: () => RuleCheck | null;
  readonly refusals: () => RuleCheck | null;
  /** This subject under each clock that the gateway may have; only itself unless the gateway's clock is unknown. */
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

/** The most clocks tried. Each covers differences up to 2 % of a window; with fewer, wrong results would pass. */
const MOST_CLOCKS = 25;

/**
 * The clock of a gateway on another host is unknown; its decisions are right if they are right under some clock.
 * Returns the history under clocks that together cover all possible clocks, or only `history` if the clock is known.
 */
function historiesByClock(variant: Variant, history: History): readonly History[] {
  const { header } = history;
  const world = clockDifferenceUs(header) === Infinity ? worldOf(variant, history) : null;
  if (world === null) return [history];
  const windowsUs = entriesOf(history, world).flatMap(({ levels, configuration }) =>
    clockWindowsUs(levels, configuration),
  );
  if (windowsUs.length === 0) return [history];
  const periodUs = [...new Set(windowsUs)].reduce(leastCommonMultiple); // all windows begin together this often
  const clockUs = micros(Math.max(CLOCKS_DIFFER_US, Math.ceil(periodUs / MOST_CLOCKS / 2)));
  return Array.from({ length: Math.ceil(periodUs / clockUs / 2) }, (_, index) => ({
    ...history,
    header: {
      ...header,
      epochUs: micros(header.epochUs + 2 * index * clockUs),
      timing: { ...header.timing, clockUs },
    },
  }));
}

const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b;

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);
