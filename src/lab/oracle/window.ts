// Windows that begin with the first request counted: the fixed window, DRL's share and the quota. If times are
// uncertain, several requests may have begun the window; every possibility is followed.
import {
  never,
  NEVER_PASSES,
  NO_WAIT,
  stateAfterRefusal,
  span,
  spanning,
  budgetState,
  type OracleAnswer,
  type LevelEffect,
  type Span,
  type BudgetState,
} from "./level-answer.ts";
import type { LedgerAttempt, Moment, Past } from "./ledger.ts";

/** One possible state: when the current window began, and how many units it has counted. */
export interface Possibility {
  readonly name: string; // request or instant that began the window
  readonly startLoUs: number;
  readonly startHiUs: number;
  readonly underWayUntilUs: number; // latest possible end of the request that began it
  readonly least: number;
  readonly most: number;
}

export interface WindowRule {
  readonly perUs: number;
  readonly capacity: number;
  readonly shown: number; // the limit that headers report; under DRL the capacity is a share of it (HDR-C2)
  /** Windows begin at multiples of `per` since this moment before the run; null: each begins with a request. */
  readonly alignedToUs: number | null;
  /** Whether each of several requests in flight at the store may have been counted first. */
  readonly isRaced: boolean;
  readonly cost: number; // units of the evaluated request
}

/** The state before any request has been counted. */
export const NO_WINDOW: Possibility = {
  name: "none",
  startLoUs: Number.NEGATIVE_INFINITY,
  startHiUs: Number.NEGATIVE_INFINITY,
  underWayUntilUs: Number.NEGATIVE_INFINITY,
  least: 0,
  most: 0,
};

/** The possible states after `past`, given those before it. */
export function possibilitiesAfter(
  before: readonly Possibility[],
  past: readonly Past[],
  rule: WindowRule,
): readonly Possibility[] {
  return past
    .filter(({ attempt }) => ["admitted", "passing", "refunded"].includes(attempt.trace))
    .reduce(
      (possibilities, one, index, counted) =>
        one.attempt.trace === "refunded"
          ? beginEmpty(possibilities, one.attempt, rule)
          : countAttempt(
              possibilities.filter((possibility) => isThere(possibility, one.attempt)),
              one,
              rule,
              lateUnits(one.attempt, counted, index, rule),
            ),
      before,
    );
}

const isEmpty = ({ name, most }: Possibility): boolean => most === 0 && name !== NO_WINDOW.name;

/** False if no units are counted in the window and the request that began it has surely been refunded. */
const isThere = (possibility: Possibility, { flightFromUs }: Moment): boolean =>
  !isEmpty(possibility) || flightFromUs <= possibility.underWayUntilUs;

/** A refunded request may have begun a window, which continues if others were counted in it before the refund. */
function beginEmpty(
  possibilities: readonly Possibility[],
  attempt: LedgerAttempt,
  rule: WindowRule,
): readonly Possibility[] {
  // A clock window is not begun by a request.
  if (rule.alignedToUs !== null) return possibilities;
  const before = possibilities.filter((possibility) => isThere(possibility, attempt));
  const begun = before.some((possibility) => mayBeOver(possibility, attempt, rule))
    ? begunBy({ ...attempt, cost: 0 }, rule)
    : [];
  // Until it is refunded, the request also keeps alive an empty window that another request began.
  const longer = before.map((possibility) => ({
    ...possibility,
    underWayUntilUs: isEmpty(possibility)
      ? Math.max(possibility.underWayUntilUs, attempt.flightToUs)
      : possibility.underWayUntilUs,
  }));
  return [...longer, ...begun];
}

/**
 * Returns the most units of earlier rows that may be counted in the clock window of `beginning`. A request with a slow
 * clock may have reached the store after `beginning`; then it is counted in the running window (ALG-C3).
 */
function lateUnits(
  beginning: Moment,
  counted: readonly Past[],
  index: number,
  { isRaced, alignedToUs }: WindowRule,
): number {
  if (!isRaced || alignedToUs === null) return 0;
  let units = 0;
  for (const { attempt } of counted.slice(0, index))
    if (attempt.flightToUs >= beginning.flightFromUs) units += attempt.cost;
  return units;
}

export function evaluateWindow(
  possibilities: readonly Possibility[],
  now: Moment,
  rule: WindowRule,
): OracleAnswer {
  if (rule.capacity < 1) return never("the limit admits nothing");
  const running = possibilities.filter((possibility) => !isEmpty(possibility));
  const inside = running.filter((possibility) => mayBeInside(possibility, now, rule));
  const outside = running.some((possibility) => mayBeOver(possibility, now, rule));
  const least = Math.min(...inside.map((possibility) => possibility.least));
  const most = Math.max(...inside.map((possibility) => possibility.most));
  const { capacity, cost } = rule;
  const pass = capacity >= cost && (outside || least + cost <= capacity);
  const refuse = capacity < cost || most + cost > capacity;
  const full = inside.filter((possibility) => possibility.most + cost > capacity);
  const fitsUs = {
    fromUs: Math.min(...full.map(({ startLoUs }) => startLoUs + rule.perUs - now.hiUs)),
    toUs: Math.max(...full.map(({ startHiUs }) => startHiUs + rule.perUs - now.loUs)),
  };
  const waitUs = capacity < cost ? NEVER_PASSES : fitsUs;
  const why =
    inside.length === 0
      ? "no window is running"
      : `${span(least, most)} counted in the window, ${rule.capacity} allowed`;
  const stateAfter = (effect: LevelEffect): BudgetState =>
    windowState(running, now, rule, effect, waitUs);
  const used = inside.length === 0 ? { from: 0, to: 0 } : { from: least, to: most };
  const usage = { of: "admitted", ...used, allowed: rule.capacity } as const;
  return { pass, refuse, waitUs: refuse ? waitUs : NO_WAIT, stateAfter, why, usage };
}

/** The budget after the request. A refusal spends nothing (ALG-C3, ALG-C4); the budget resets when its window ends. */
function windowState(
  possibilities: readonly Possibility[],
  now: Moment,
  rule: WindowRule,
  effect: LevelEffect,
  waitUs: { readonly fromUs: number; readonly toUs: number },
): BudgetState {
  const { perUs, capacity, shown, cost } = rule;
  const own = effect === "admitted" ? cost : 0;
  const inside = possibilities
    .filter((possibility) => mayBeInside(possibility, now, rule))
    .filter(
      ({ least, most }) =>
        effect === "visited" || (own > 0 ? least + cost <= capacity : most + cost > capacity),
    );
  const running = inside.map(({ least, most, startLoUs, startHiUs }) => ({
    left: { from: capacity - most - own, to: capacity - least - own },
    endUs: { from: startLoUs + perUs, to: startHiUs + perUs },
  }));
  const isOver = possibilities.some((possibility) => mayBeOver(possibility, now, rule));
  const begun =
    isOver && (effect !== "refused" || capacity < cost) ? begunBy({ ...now, cost }, rule) : [];
  const fresh = begun.map(({ startLoUs, startHiUs }) => ({
    left: { from: capacity - own, to: capacity - own },
    endUs:
      own > 0
        ? { from: startLoUs + perUs, to: startHiUs + perUs }
        : { from: now.loUs, to: now.hiUs }, // nothing was spent in this window, so the budget is full
  }));
  const states = [...running, ...fresh];
  const endUs = (): Span => spanning(states.map((one) => one.endUs));
  const left = spanning(states.map((one) => one.left));
  return effect === "refused" && cost > 1
    ? stateAfterRefusal(shown, left, now, waitUs)
    : budgetState(shown, left, endUs, endUs);
}

const mayBeInside = (
  { startHiUs }: Possibility,
  { loUs }: Moment,
  { perUs }: WindowRule,
): boolean => loUs < startHiUs + perUs;
/** Whether the window may have ended. `NO_WINDOW` has ended even if `perUs` is infinite (a quota without renewal). */
const mayBeOver = ({ startLoUs }: Possibility, { hiUs }: Moment, { perUs }: WindowRule): boolean =>
  startLoUs === Number.NEGATIVE_INFINITY || hiUs >= startLoUs + perUs;

function countAttempt(
  possibilities: readonly Possibility[],
  { attempt, counts }: Past,
  rule: WindowRule,
  lateUnitsAtMost: number,
): Possibility[] {
  const next = new Map<string, Possibility>();
  const add = (possibility: Possibility): void => {
    const same = next.get(possibility.name);
    next.set(possibility.name, same === undefined ? possibility : union(same, possibility));
  };
  for (const possibility of possibilities) {
    // An attempt whose span contains the start of the window may have been counted in the previous one.
    const isAfter =
      attempt.loUs >= possibility.startHiUs || followsBeginning(possibility, attempt, rule);
    if (mayBeInside(possibility, attempt, rule))
      add(joinWindow(possibility, attempt, counts === "yes" && isAfter, rule));
    if (mayBeOver(possibility, attempt, rule)) {
      for (const begun of begunBy(attempt, rule))
        add({ ...begun, most: begun.most + lateUnitsAtMost });
      if (counts === "maybe") add(possibility);
    }
  }
  return [...next.values()];
}

interface CostedMoment extends Moment {
  readonly cost: number;
}

/** Whether the attempt surely came after the window began, even if it has an earlier timestamp from a slow clock. */
const followsBeginning = (
  { underWayUntilUs }: Possibility,
  { fromUs, toUs, flightFromUs }: Moment,
  { isRaced, alignedToUs }: WindowRule,
): boolean =>
  fromUs === toUs && (!isRaced || alignedToUs === null || flightFromUs > underWayUntilUs);

/** Adds the request to the window. If the spans of two requests overlap, either of them may have begun the window. */
function joinWindow(
  possibility: Possibility,
  { fromUs, toUs, loUs, hiUs, flightFromUs, cost }: CostedMoment,
  sure: boolean,
  { isRaced, alignedToUs }: WindowRule,
): Possibility {
  const { startLoUs, startHiUs, underWayUntilUs } = possibility;
  if (isRaced && alignedToUs === null && flightFromUs <= underWayUntilUs)
    return {
      ...possibility,
      startLoUs: Math.min(startLoUs, loUs),
      startHiUs: Math.max(startHiUs, hiUs),
      least: possibility.least + (sure ? cost : 0),
      most: possibility.most + cost,
    };
  const isSpan = startLoUs < startHiUs;
  return {
    ...possibility,
    startLoUs: isSpan || fromUs < toUs ? Math.min(startLoUs, loUs) : startLoUs,
    startHiUs: isSpan && sure ? Math.min(startHiUs, Math.max(hiUs, startLoUs)) : startHiUs,
    least: possibility.least + (sure ? cost : 0),
    most: possibility.most + cost,
  };
}

function begunBy(
  { row, loUs, hiUs, flightToUs, cost }: CostedMoment,
  { alignedToUs, perUs }: WindowRule,
): Possibility[] {
  const one = { least: cost, most: cost };
  if (alignedToUs === null) {
    const name = `row ${row}`;
    return [{ name, startLoUs: loUs, startHiUs: hiUs, underWayUntilUs: flightToUs, ...one }];
  }
  const starts = new Set([loUs, hiUs].map((us) => us - modulo(alignedToUs + us, perUs)));
  return [...starts].map((startUs) => ({
    name: `window ${startUs}`,
    startLoUs: startUs,
    startHiUs: startUs,
    underWayUntilUs: flightToUs,
    ...one,
  }));
}

export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Unites two states of one window. Of its start times, only the earliest possible one may have moved back. */
const union = (a: Possibility, b: Possibility): Possibility => ({
  ...a,
  underWayUntilUs: Math.max(a.underWayUntilUs, b.underWayUntilUs),
  startLoUs: Math.min(a.startLoUs, b.startLoUs),
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});
