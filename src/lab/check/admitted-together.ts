// Checks how much a budget admits during any span of time, in whatever order its requests were decided. If the times of
// decisions are uncertain and overlap, each admission alone can be allowed although all together are too many.
import { formatDuration, micros } from "../../kit/units.ts";
import { isWritten, type LedgerAttempt, type Ledger } from "../oracle/ledger.ts";
import type { OracleLevel } from "../oracle/levels.ts";
import type { LimitFacts } from "../../limiter/spec/algorithm-spec.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import type { Violation } from "./rule-check.ts";

interface RuleDuring {
  readonly level: OracleLevel;
  readonly limit: LimitFacts;
  readonly capacity: number;
  readonly most: number; // units that the budget may admit in any window
  readonly isOnly: boolean;
}

/** `lossesAmong` returns how often state was lost between the attempts; each loss allows one more `capacity`. */
export function findExcessTogether(
  admitted: readonly LedgerAttempt[],
  ledger: Ledger,
  rule: RuleDuring,
  epochUs: number,
  lossesAmong: (attempts: readonly LedgerAttempt[]) => number,
): Violation | null {
  const { level, limit, capacity } = rule;
  // The oracle checks decisions at exact times. If limits changed or clocks differ, only `findExcess` checks a budget.
  const isOpen = admitted.some(({ loUs, hiUs }) => loUs < hiUs);
  const isKnown = rule.isOnly && Number.isFinite(rule.most) && ledger.disorderUs === 0;
  const spec = SPECS[level.algorithm];
  if (!isOpen || !isKnown || spec.overshootsBy !== null) return null;
  const byEnd = admitted.toSorted((a, b) => a.hiUs - b.hiUs);
  for (const fromUs of new Set(admitted.map(({ loUs }) => loUs))) {
    const before = capacityLeftAt(fromUs, ledger, rule);
    let units = 0;
    for (const { loUs, hiUs, cost, row } of byEnd) {
      if (loUs < fromUs) continue;
      units += cost;
      if (units <= capacity + before) continue;
      const during = { fromUs: epochUs + fromUs, toUs: epochUs + hiUs };
      const base = spec.mostDuring(limit, during) + before;
      if (units <= base) continue;
      const inside = byEnd.filter((one) => one.loUs >= fromUs && one.hiUs <= hiUs);
      const most = base + capacity * lossesAmong(inside);
      if (units <= most) continue;
      const text = `${level.algorithm} of ${limit.rate} per ${formatDuration(micros(limit.perUs))} (${level.scope}) admitted ${units} within the ${formatDuration(micros(hiUs - fromUs))} up to t=${formatDuration(micros(hiUs))}, at most ${most} are allowed`;
      return { row, text, isCertain: true };
    }
  }
  return null;
}

/** The most units unspent at `us` in a window that an earlier or lost request began, spending at least one unit. */
function capacityLeftAt(
  us: number,
  { past }: Ledger,
  { level: { algorithm, limit }, limit: { fixedWindowStart }, capacity }: RuleDuring,
): number {
  const isByClock = algorithm === "fixed_window" && fixedWindowStart === "clock";
  if (SPECS[algorithm].counts !== "window" || isByClock) return 0;
  const isRunning = past.some(
    ({ attempt }) =>
      attempt.loUs < us &&
      attempt.hiUs + limit.perUs > us &&
      (isWritten(attempt) || !attempt.certain),
  );
  return isRunning ? Math.max(0, capacity - 1) : 0;
}
