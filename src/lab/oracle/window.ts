// Windows that begin with the first request counted: the fixed window, DRL's share and the quota. If times are
// uncertain it may be open which request began the window; every possibility is followed.
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
  readonly name: string; // of the request, or of the instant, that began it
  readonly startLoUs: number;
  readonly startHiUs: number;
  readonly underWayUntilUs: number; // the request that began it, as far as is known
  readonly least: number;
  readonly most: number;
}

export interface WindowRule {
  readonly perUs: number;
  readonly capacity: number;
  readonly shown: number; // as the limit: under DRL the capacity is a share of it (HDR-C2)
  /** Windows begin at multiples of `per` since this moment before the run; null: the first request begins one. */
  readonly alignedToUs: number | null;
  /** Of requests that were under way at the store together each may have been the first to count. */
  readonly isRaced: boolean;
  readonly cost: number; // of the request that is evaluated, in units
}

/** Before anything has been counted. */
export const NO_WINDOW: Possibility = {
  name: "none",
  startLoUs: Number.NEGATIVE_INFINITY,
  startHiUs: Number.NEGATIVE_INFINITY,
  underWayUntilUs: Number.NEGATIVE_INFINITY,
  least: 0,
  most: 0,
};

/** The possible states after `past`, from those before it. */
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

/** A window without a count ends when the request that began it is refunded. */
const isThere = (possibility: Possibility, { flightFromUs }: Moment): boolean =>
  !isEmpty(possibility) || flightFromUs <= possibility.underWayUntilUs;

/** It may have begun a window, which goes on if others counted in it before the refund. */
function beginEmpty(
  possibilities: readonly Possibility[],
  attempt: LedgerAttempt,
  rule: WindowRule,
): readonly Possibility[] {
  // A window of the clock has no beginning of its own.
  if (rule.alignedToUs !== null) return possibilities;
  const before = possibilities.filter((possibility) => isThere(possibility, attempt));
  const begun = before.some((possibility) => mayBeOver(possibility, attempt, rule))
    ? begunBy({ ...attempt, cost: 0 }, rule)
    : [];
  // Until its own refund it keeps a window that another one began.
  const longer = before.map((possibility) => ({
    ...possibility,
    underWayUntilUs: isEmpty(possibility)
      ? Math.max(possibility.underWayUntilUs, attempt.flightToUs)
      : possibility.underWayUntilUs,
  }));
  return [...longer, ...begun];
}

/**
 * In a window of the clock that `beginning` may begin, the units of earlier rows whose clocks are behind: at the store
 * each may have come second, and counts in the window that runs (ALG-C3).
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
  return { pass, refuse, waitUs: refuse ? waitUs : NO_WAIT, stateAfter, why };
}

/** A refusal takes nothing (ALG-C3, ALG-C4). Both resets are the end of the window. */
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
        : { from: now.loUs, to: now.hiUs }, // it is full
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
/** Without a count no window runs, however long one lasts: a quota may never renew. */
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
    // An attempt whose span contains the beginning may have counted in the window before it.
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

/** Surely decided after the window began, though its stamp is before: by a clock that is behind, for one of the clock. */
const followsBeginning = (
  { underWayUntilUs }: Possibility,
  { fromUs, toUs, flightFromUs }: Moment,
  { isRaced, alignedToUs }: WindowRule,
): boolean =>
  fromUs === toUs && (!isRaced || alignedToUs === null || flightFromUs > underWayUntilUs);

/** Of two whose spans overlap either may have come first and begun the window. */
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

/** For two that one request or one instant began: only the beginning may have moved further back. */
const union = (a: Possibility, b: Possibility): Possibility => ({
  ...a,
  underWayUntilUs: Math.max(a.underWayUntilUs, b.underWayUntilUs),
  startLoUs: Math.min(a.startLoUs, b.startLoUs),
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});
