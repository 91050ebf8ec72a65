// Budgets that are counted as a debt: token bucket, GCRA and leaky bucket.
import type { EvaluationContext, Running } from "./context.ts";
import { evaluateDebt, isAtOneRate, nothingSettled, settle, type SettledDebt } from "./debt.ts";
import type { Ledger, Moment, Past } from "./ledger.ts";
import type { OracleLevel } from "./levels.ts";
import { isInOrder, pastAmong, pastOf, rowsAbove, countSettled } from "./past.ts";
import { onlyAdmitted, type Filler, type OracleRule } from "./rule.ts";

type NumberOf = (level: OracleLevel, context: EvaluationContext) => number;

/** A debt whose admitted requests all leave at once. */
export const asDebt = (burstOf: NumberOf): OracleRule => ruleOfDebt(burstOf, false);

/** A debt of which one request leaves at once, and at most `queueOf` requests wait for their turns (ALG-C10). */
export const asQueue = (queueOf: NumberOf): OracleRule =>
  ruleOfDebt((level, context) => (level.limit.rate === 0 ? 0 : 1 + queueOf(level, context)), true);

const ruleOfDebt = (burstOf: NumberOf, isQueue: boolean): OracleRule => ({
  answer: (level, context, ledger, running) => {
    const { entry, world, inSteps } = context;
    const { rate, perUs } = level.limit;
    const rule = { rate, perUs, burst: burstOf(level, context), cost: entry.cost, isQueue };
    const pastSince = (settled: number): readonly Past[] =>
      pastOf(ledger, entry.moment, world, {
        sinceUs: Number.NEGATIVE_INFINITY,
        inSteps,
        settled,
      });
    const settled = settleDebt(level, context, ledger, running);
    const past = pastSince(settled.upTo);
    const answer = isAtOneRate(past, rate)
      ? evaluateDebt(settled, past, entry.moment, rule)
      : evaluateDebt(nothingSettled(rate, perUs), pastSince(0), entry.moment, rule);
    return { answer, proposal: null };
  },
  fillers: ({ limit: { rate, perUs } }, { entry }, past) => {
    const owing = sinceNothingWasOwed(onlyAdmitted(past), entry.moment, rate, perUs);
    return isQueue ? stillWaiting(owing, entry.moment, perUs / rate) : owing;
  },
});

/**
 * Continues from the state of the previous request: counting all attempts again would take quadratic time in long runs.
 * If an attempt had another rate, all are counted again, because the debt then depends on the order of all attempts.
 */
function settleDebt(
  { limit: { rate, perUs } }: OracleLevel,
  { entry: { moment }, world, inSteps }: EvaluationContext,
  ledger: Ledger,
  running: Running,
): SettledDebt {
  const nothing = nothingSettled(rate, perUs);
  const isPlain = isInOrder(ledger, moment, world, inSteps);
  const upTo = isPlain ? rowsAbove(ledger, moment.row) : countSettled(ledger, moment, world);
  const { debt } = running;
  const isKnown = debt?.rate === rate && debt.perUs === perUs && debt.upTo <= upTo;
  const before = isKnown ? debt : nothing;
  const past = pastAmong(ledger.past.slice(before.upTo, upTo), ledger, moment, world, inSteps);
  const settled = settle(before, past, upTo);
  if (settled !== null) running.debt = settled;
  return settled ?? nothing;
}

/** Requests whose turns at this level are still to come; if there are none, the last request that left. */
function stillWaiting(owing: readonly Filler[], now: Moment, distanceUs: number): Filler[] {
  let nextUs = Number.NEGATIVE_INFINITY;
  const waiting = owing.filter(({ attempt }) => {
    const turnUs = Math.max(attempt.loUs, nextUs);
    nextUs = turnUs + attempt.cost * distanceUs;
    return turnUs > now.loUs;
  });
  return waiting.length === 0 ? owing.slice(-1) : waiting;
}

/** The requests since the debt was last zero: together they make up all that is owed. */
function sinceNothingWasOwed(
  admitted: readonly Past[],
  now: Moment,
  rate: number,
  perUs: number,
): Filler[] {
  let units = admitted.reduce((sum, { attempt }) => sum + attempt.cost, 0);
  const debts = admitted.map(({ attempt: { loUs, cost } }) => {
    const debt = units * perUs - (now.loUs - loUs) * rate;
    units -= cost;
    return debt;
  });
  const most = Math.max(0, ...debts);
  return most === 0 ? [] : admitted.slice(debts.indexOf(most));
}
