// Budgets that are counted in windows: fixed window, DRL's share, quota.
import type { EvaluationContext, Running } from "./context.ts";
import type { Ledger } from "./ledger.ts";
import { capacityOf, type OracleLevel } from "./levels.ts";
import { isPlainPast, isRaced, pastAmong, pastOf, rowsAbove, countSettled } from "./past.ts";
import { onlyAdmitted, type Filler, type OracleRule, type RuleAnswer } from "./rule.ts";
import {
  possibilitiesAfter,
  evaluateWindow,
  modulo,
  NO_WINDOW,
  type Possibility,
  type WindowRule,
} from "./window.ts";

interface Windows {
  /** The part of the rate that one counter admits. */
  readonly shareOf: (level: OracleLevel, context: EvaluationContext) => number;
  readonly isByClock: (context: EvaluationContext) => boolean;
}

export const inWindows = ({ shareOf, isByClock }: Windows): OracleRule => ({
  answer: (level, context, ledger, running): RuleAnswer => {
    const { entry, epochUs, world, inSteps } = context;
    const rule = {
      perUs: level.limit.perUs,
      capacity: shareOf(level, context),
      shown: capacityOf(level),
      alignedToUs: isByClock(context) ? epochUs : null,
      isRaced: isRaced(world, inSteps),
      cost: entry.cost,
    };
    const possibilities = windowsBefore(context, ledger, running, rule);
    return { answer: evaluateWindow(possibilities, entry.moment, rule), proposal: null };
  },
  fillers: (level, context, past): Filler[] => {
    const { perUs } = level.limit;
    const { loUs } = context.entry.moment;
    const admitted = onlyAdmitted(past);
    const startUs = isByClock(context)
      ? loUs - modulo(context.epochUs + loUs, perUs)
      : lastStart(
          admitted.map(({ attempt }) => attempt.loUs),
          perUs,
        );
    return admitted.filter(({ attempt }) => attempt.hiUs >= startUs);
  },
});

/** LIM-C9: windows of the renewal period. Each begins with a request. */
export const QUOTA: OracleRule = inWindows({ shareOf: capacityOf, isByClock: () => false });

/** The start of the current window. Each window begins with the first request after the end of the previous window. */
function lastStart(admittedUs: readonly number[], perUs: number): number {
  let startUs = Number.NEGATIVE_INFINITY;
  for (const us of admittedUs) if (us >= startUs + perUs) startUs = us;
  return startUs;
}

const NOTHING_SETTLED: Running["settled"] = { upTo: 0, possibilities: [NO_WINDOW], rule: null };

/** Whether the counts stay valid under the new rule: they do not depend on the capacity. */
const isSameWindow = (before: WindowRule | null, now: WindowRule): boolean =>
  before?.perUs === now.perUs &&
  before.alignedToUs === now.alignedToUs &&
  before.isRaced === now.isRaced;

function windowsBefore(
  { entry, world, inSteps }: EvaluationContext,
  ledger: Ledger,
  running: Running,
  rule: WindowRule,
): readonly Possibility[] {
  const { moment } = entry;
  if (!isPlainPast(ledger, world, inSteps)) {
    const upTo = countSettled(ledger, moment, world);
    const isKnown = running.settled.upTo <= upTo && isSameWindow(running.settled.rule, rule);
    const before = isKnown ? running.settled : NOTHING_SETTLED;
    const { past } = ledger;
    const since = pastAmong(past.slice(before.upTo, upTo), ledger, moment, world, inSteps);
    const possibilities = possibilitiesAfter(before.possibilities, since, rule);
    running.settled = { upTo, possibilities, rule };
    const reach = { sinceUs: Number.NEGATIVE_INFINITY, inSteps, settled: upTo };
    return possibilitiesAfter(possibilities, pastOf(ledger, moment, world, reach), rule);
  }
  const { upTo, possibilities } = running.windows;
  const here = rowsAbove(ledger, moment.row);
  running.windows = {
    upTo: here,
    possibilities: possibilitiesAfter(possibilities, ledger.past.slice(upTo, here), rule),
  };
  return running.windows.possibilities;
}
