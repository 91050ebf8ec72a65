// The oracle's rule for each algorithm. Oracle and limiter do not import each other, so that they share no bug.
import { asDebt, asQueue } from "./answer-debt.ts";
import { answerOfLog } from "./answer-log.ts";
import { inWindows, QUOTA } from "./answer-window.ts";
import { isWritten, unitsIn } from "./ledger.ts";
import { capacityOf, type OracleLevel } from "./levels.ts";
import { isRaced, pastOf } from "./past.ts";
import { onlyAdmitted, type OracleRule } from "./rule.ts";
import { evaluateTwoWindows } from "./two-windows.ts";
import { modulo } from "./window.ts";

/** Fixed window (ALG-C3): admits the whole rate in each window. Windows begin with a request, or by the clock. */
const FIXED_WINDOW = inWindows({
  shareOf: capacityOf,
  isByClock: ({ entry }) => entry.configuration.options.fixedWindowStart === "clock",
});

/** DRL (ALG-C4): each gateway has its own windows, which admit at least one request unless the limit admits none. */
const DRL = inWindows({
  shareOf: (level, { entry }) =>
    capacityOf(level) < 1 ? 0 : Math.max(1, Math.floor(level.limit.rate / entry.gateways)),
  isByClock: () => false,
});

/**
 * Logs (ALG-C2): count the attempts of the last window. The pipelined log and the sentinel count the same attempts;
 * other rules of the oracle cover what can happen between their steps.
 */
const LOG: OracleRule = {
  answer: answerOfLog,
  fillers: ({ limit: { perUs } }, { entry }, past) =>
    past.filter(({ attempt }) => isWritten(attempt) && attempt.hiUs > entry.moment.loUs - perUs),
};

/** Bounded log (ALG-C9): counts the newest attempts in the window, at most as many as the rate. */
const BOUNDED_LOG: OracleRule = {
  ...LOG,
  fillers: (level, request, past) => [
    ...new Set(unitsIn(LOG.fillers(level, request, past)).slice(-capacityOf(level))),
  ],
};

/** Sliding window counter (ALG-C9): two clock windows, the older one weighted. */
const TWO_WINDOWS: OracleRule = {
  answer: ({ limit }, { entry: { moment, cost }, world, inSteps, epochUs }, ledger) => {
    const { rate, perUs } = limit;
    const past = pastOf(ledger, moment, world, { sinceUs: moment.loUs - 2 * perUs, inSteps });
    return {
      answer: evaluateTwoWindows(past, moment, {
        rate,
        perUs,
        cost,
        epochUs,
        isRaced: isRaced(world, inSteps),
      }),
      proposal: null,
    };
  },
  fillers: ({ limit: { perUs } }, { entry, epochUs }, past) => {
    const { loUs } = entry.moment;
    const startUs = loUs - modulo(epochUs + loUs, perUs) - perUs;
    return onlyAdmitted(past).filter(({ attempt }) => attempt.hiUs >= startUs);
  },
};

/** Token bucket (ALG-C9): a debt, with a burst of the whole rate. */
const BUCKET = asDebt(capacityOf);

/** GCRA (ALG-C9): a debt, with the configured burst. */
const GCRA = asDebt((level, { entry }) => {
  const { burst } = entry.configuration.options;
  const capacity = capacityOf(level);
  return burst === "rate" || capacity < 1 ? capacity : burst;
});

/** Leaky bucket (ALG-C10): a debt whose last requests have not left yet. */
const QUEUE = asQueue((level, { entry }) => {
  const { queue } = entry.configuration.options;
  const capacity = capacityOf(level);
  return queue === "rate" ? capacity : queue;
});

const RULES: Readonly<Record<OracleLevel["algorithm"], OracleRule>> = {
  fixed_window: FIXED_WINDOW,
  sliding_log: LOG,
  non_transactional: LOG,
  sentinel: LOG,
  drl: DRL,
  token_bucket: BUCKET,
  gcra: GCRA,
  sliding_window_counter: TWO_WINDOWS,
  bounded_log: BOUNDED_LOG,
  leaky_bucket: QUEUE,
  quota: QUOTA,
};

export const ruleOf = ({ algorithm }: OracleLevel): OracleRule => RULES[algorithm];
