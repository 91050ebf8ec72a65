// The levels that are counted by a log: the attempts in the window, compared with the allowance.
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import type { EvaluationContext } from "./context.ts";
import { lastStampOf, propose, type Followed, type Proposal, type SmoothedPast } from "./follow.ts";
import { isWritten, unitsIn, type Ledger, type Moment, type Past } from "./ledger.ts";
import {
  open,
  UNKNOWN,
  type OracleAnswer,
  type LevelEffect,
  type BudgetState,
} from "./level-answer.ts";
import { capacityOf, isSmoothed, type OracleLevel } from "./levels.ts";
import {
  inBoundedWindow,
  inOrderedWindow,
  inWindow,
  evaluateLog,
  logState,
  unitsAfter,
  waitOf,
  type InWindow,
  type WaitingUnits,
} from "./log.ts";
import { firstIndex, isInOrder, logSinceUs, pastOf, survivorOf } from "./past.ts";
import { evaluateSentinel, type SentinelRule } from "./sentinel.ts";
import {
  boundsOf,
  cut,
  isAbsent,
  oneStepUp,
  type Allowance,
  type SmoothingBounds,
} from "./smoothing.ts";

export function answerOfLog(
  level: OracleLevel,
  context: EvaluationContext,
  ledger: Ledger,
  running: Followed,
  written: boolean,
): { answer: OracleAnswer; proposal: Proposal | null } {
  const { moment, configuration, cost } = context.entry;
  const { perUs } = level.limit;
  const isSentinel = isMarked(level);
  const mark = configuration.options.sentinelMark;
  const { writes, window } = logPastOf(level, ledger, context, mark);
  // Attempts that were lost with the store no longer determine the stored allowance, so they are excluded first.
  const lastWritten = survivorOf(running.lastWritten, moment, context.world);
  const lastRefunded = survivorOf(running.lastRefunded, moment, context.world);
  const past = { writes, window, lastWritten, lastRefunded };
  const wasOpen = running.isOpen;
  const proposal = isSmoothed(level)
    ? propose(running, past, { ...moment, cost }, boundsOf(level.limit))
    : null;
  const rule: SentinelRule = {
    perUs,
    capacity: capacityOf(level),
    whole: wholeOf(level, running, past, moment),
    isSmoothed: isSmoothed(level),
    wholeAt: ({ row, capacity }) => running.wholes.get(row) ?? capacity,
    mark,
    cost,
  };
  if (!rule.isSmoothed) {
    const answer = isSentinel
      ? evaluateSentinel(writes, window, moment, rule, written)
      : evaluateLog(window, capacityOf(level), perUs, moment, written, cost);
    return { answer, proposal: null };
  }
  // A sliding mark is unknown if the allowance was unknown at the mark's write. A fixed mark of that time has expired.
  const isMarkOpen = isSentinel && (running.isOpen || (wasOpen && mark === "sliding"));
  if (isMarkOpen && mark === "fixed")
    return { answer: open("neither the allowance nor the mark is known"), proposal };
  if (!isSentinel || isMarkOpen)
    return {
      answer: evaluateSmoothed(
        level,
        window,
        { ...moment, cost },
        isMarkOpen ? null : proposal,
        written,
      ),
      proposal,
    };
  const answer = evaluateSentinel(writes, window, moment, rule, written);
  const stateAfter = (effect: LevelEffect): BudgetState | null =>
    proposal === null || mark === "fixed"
      ? null
      : sentinelState(
          boundsOf(level.limit),
          window,
          { ...moment, cost },
          rule.whole,
          proposal,
          effect,
        );
  return { answer: { ...answer, stateAfter }, proposal };
}

interface CostedMoment extends Moment {
  readonly cost: number; // cost of the request in units
}

/** Whether a mark decides at the level. Such a level writes its log after the decision (ALG-C5). */
const isMarked = ({ algorithm }: OracleLevel): boolean => SPECS[algorithm].overshootsBy === "mark";

/**
 * The state after a decision, whose background write changes the allowance. After a refusal, the new allowance alone
 * decides how long the next request waits. After an admission that leaves no budget, the allowance can only rise, so
 * the wait follows from the old or the new allowance.
 */
function sentinelState(
  bounds: SmoothingBounds,
  window: InWindow,
  now: CostedMoment,
  whole: number,
  { stepped: { allowance } }: Proposal,
  effect: LevelEffect,
): BudgetState {
  const units = unitsAfter(effect, now.cost);
  const { perUs } = bounds;
  if (effect === "refused") {
    const { fromUs, toUs } = waitOf(window, Math.floor(allowance.value), perUs, now, units);
    // Even if the next request may be admitted at once, the refusal may still report a wait of one microsecond.
    const waitUs = { fromUs, toUs: Math.max(1, toUs) };
    return logState(window, whole, perUs, now, effect, now.cost, waitUs);
  }
  const here = waitOf(window, whole, perUs, now, units);
  const { fromUs } = waitUnder(allowance, bounds, window, now, units);
  const waitUs = { ...here, fromUs: Math.min(fromUs, here.fromUs) };
  return logState(window, whole, perUs, now, effect, now.cost, waitUs);
}

/** ALG-C5: the allowance after the last attempt, cut to the present bounds; the threshold if none is stored. */
function wholeOf(
  { limit }: OracleLevel,
  { record }: Followed,
  past: SmoothedPast,
  now: Moment,
): number {
  if (limit.smoothing === null) return Math.floor(limit.rate);
  const bounds = boundsOf(limit);
  if (record === null || isAbsent(record, now.loUs - lastStampOf(past)))
    return Math.floor(bounds.threshold);
  return Math.floor(cut(record.value, bounds));
}

interface LogPast {
  readonly writes: readonly Past[]; // only as far back as the answer needs
  readonly window: InWindow;
}

function logPastOf(
  level: OracleLevel,
  ledger: Ledger,
  { entry: { moment }, world, inSteps }: EvaluationContext,
  mark: SentinelRule["mark"],
): LogPast {
  const { perUs } = level.limit;
  const isSentinel = isMarked(level);
  const { isBounded } = SPECS[level.algorithm];
  const reach = {
    sinceUs:
      isSentinel && mark === "fixed" ? Number.NEGATIVE_INFINITY : logSinceUs(ledger, moment, perUs),
    inSteps: inSteps || isSentinel,
  };
  const [capacity = 0, ...otherCapacities] = ledger.capacities;
  if (
    !isInOrder(ledger, moment, world, reach.inSteps) ||
    (isBounded && otherCapacities.length > 0)
  ) {
    const past = unitsIn(pastOf(ledger, moment, world, reach));
    const window = (isBounded ? inBoundedWindow : inWindow)(past, moment, perUs);
    return { writes: past.filter(({ attempt }) => isWritten(attempt)), window };
  }
  const end = firstIndex(ledger.writes, ({ attempt }) => attempt.row >= moment.row);
  // Without smoothing only marks need the attempts themselves: a fixed mark needs all, a sliding mark the last.
  const first =
    isSmoothed(level) || (isSentinel && mark === "fixed")
      ? firstIndex(ledger.writes, ({ attempt }) => attempt.hiUs >= reach.sinceUs)
      : Math.max(0, end - 1);
  return {
    writes: ledger.writes.slice(first, end),
    window: inOrderedWindow(ledger, moment, perUs, isBounded ? capacity : undefined),
  };
}

/** HDR-C1: a refused request waits until it fits under the allowance or, after the hold-off, the next allowance. */
function evaluateSmoothed(
  level: OracleLevel,
  window: InWindow,
  now: CostedMoment,
  proposal: Proposal | null,
  written: boolean,
): OracleAnswer {
  const bounds = boundsOf(level.limit);
  const { perUs, rate, threshold } = bounds;
  if (proposal === null) {
    const why = `${window.least} to ${window.most} attempts in the window, and the allowance is between ${threshold} and ${rate}`;
    return {
      pass: window.least + now.cost <= Math.floor(rate),
      refuse: window.most + now.cost > Math.floor(threshold),
      waitUs: null,
      stateAfter: UNKNOWN,
      why,
    };
  }
  const { value, holdUntilUs } = (written ? proposal.stepped : proposal.settled).allowance;
  const { cost } = now;
  const answer = evaluateLog(window, value, perUs, now, written, cost);
  const why = `${answer.why} (A is ${value})`;
  const stateAfter = (effect: LevelEffect): BudgetState => {
    const { allowance } = effect === "visited" ? proposal.settled : proposal.stepped;
    const waitUs = waitUnder(allowance, bounds, window, now, unitsAfter(effect, cost));
    return logState(window, Math.floor(allowance.value), perUs, now, effect, cost, waitUs);
  };
  if (!answer.refuse) return { ...answer, stateAfter, why };
  const units = { own: written ? cost : 0, next: cost };
  const waitUs = waitUnder({ value, holdUntilUs }, bounds, window, now, units);
  return { ...answer, waitUs, stateAfter, why };
}

function waitUnder(
  { value, holdUntilUs }: Allowance,
  bounds: SmoothingBounds,
  window: InWindow,
  now: Moment,
  units: WaitingUnits,
): { fromUs: number; toUs: number } {
  const atA = waitOf(window, Math.floor(value), bounds.perUs, now, units);
  const above = waitOf(window, Math.floor(oneStepUp(value, bounds)), bounds.perUs, now, units);
  const wait = (at: number, next: number): number =>
    Math.min(at, Math.max(holdUntilUs - now.loUs, next));
  return { fromUs: wait(atA.fromUs, above.fromUs), toUs: wait(atA.toUs, above.toUs) };
}
