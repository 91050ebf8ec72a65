// The sliding log by its definition (ALG-C2): the window has all attempts younger than `per`.
import { isWritten, type Ledger, type Moment, type Past } from "./ledger.ts";
import {
  never,
  NEVER_PASSES,
  NO_WAIT,
  span,
  budgetState,
  type OracleAnswer,
  type LevelEffect,
  type BudgetState,
} from "./level-answer.ts";
import { firstIndex } from "./past.ts";

export interface InWindow {
  readonly least: number; // units that are certainly in the window
  readonly most: number; // units that may be in the window
  /** The k-th newest timestamp of the certain units (1: the newest); undefined if there are fewer than k units. */
  readonly certain: (k: number) => number | undefined;
  readonly possible: (k: number) => number | undefined;
}

/**
 * The units in the window at `now`. If gateways' clocks differ, a later timestamp may already have removed an entry
 * from the log. `most` includes such an entry, `least` does not.
 */
export function inWindow(past: readonly Past[], now: Moment, perUs: number): InWindow {
  let latestUs = now.hiUs;
  for (const { attempt } of past) latestUs = Math.max(latestUs, attempt.hiUs);
  const possible = past.filter(
    ({ attempt }) => isWritten(attempt) && attempt.hiUs > now.loUs - perUs,
  );
  const certain = possible.filter(
    ({ attempt, counts }) => counts === "yes" && attempt.loUs > latestUs - perUs,
  );
  const newest = (stamps: readonly number[], k: number): number | undefined =>
    stamps.toSorted((a, b) => b - a)[k - 1];
  return {
    least: certain.length,
    most: possible.length,
    certain: (k) =>
      newest(
        certain.map(({ attempt }) => attempt.loUs),
        k,
      ),
    possible: (k) =>
      newest(
        possible.map(({ attempt }) => attempt.hiUs),
        k,
      ),
  };
}

/**
 * `inWindow` for a plain ledger whose timestamps are in order: the window is a slice of the writes, found by bisection.
 * `atMost` limits the window to that many newest writes.
 */
export function inOrderedWindow(
  { writes }: Ledger,
  { row, loUs }: Moment,
  perUs: number,
  atMost = Number.POSITIVE_INFINITY,
): InWindow {
  const end = firstIndex(writes, ({ attempt }) => attempt.row >= row);
  const young = firstIndex(writes, ({ attempt }) => attempt.loUs > loUs - perUs);
  const count = Math.max(0, Math.min(end - young, atMost));
  const newest = (k: number): number | undefined =>
    k > count ? undefined : writes[end - k]!.attempt.loUs;
  return { least: count, most: count, certain: newest, possible: newest };
}

/** Refuses if the window's units plus `cost` exceed the allowance. `written`: a refused request enters this log. */
export function evaluateLog(
  window: InWindow,
  allowance: number,
  perUs: number,
  now: Moment,
  written: boolean,
  cost: number,
): OracleAnswer {
  const k = Math.floor(allowance);
  if (k < 1) return never("the limit admits nothing");
  const refuse = window.most + cost > k;
  const units = { own: written ? cost : 0, next: cost };
  const waitUs = refuse ? waitOf(window, k, perUs, now, units) : NO_WAIT;
  const why = `${span(window.least, window.most)} attempts in the window, ${k} allowed`;
  const stateAfter = (effect: LevelEffect): BudgetState =>
    logState(window, k, perUs, now, effect, cost);
  const usage = { of: "attempts", from: window.least, to: window.most, allowed: k } as const;
  return { pass: window.least + cost <= k, refuse, waitUs, stateAfter, why, usage };
}

/** The request's own units in the log, and the units that must fit next: all after a refusal, otherwise one. */
export const unitsAfter = (effect: LevelEffect, cost: number): WaitingUnits => ({
  own: effect === "visited" ? 0 : cost,
  next: effect === "refused" ? cost : 1,
});

/** What remains of a limit of `k` in a log. `waitUs` overrides the time until another unit fits. */
export function logState(
  window: InWindow,
  k: number,
  perUs: number,
  now: Moment,
  effect: LevelEffect,
  cost: number,
  waitUs = waitOf(window, k, perUs, now, unitsAfter(effect, cost)),
): BudgetState {
  const { own } = unitsAfter(effect, cost);
  // The log is empty when its newest entry expires: this request's own entry if it was written. A gateway with a slow
  // clock may use its own timestamp, because the specification does not state which clock applies.
  const emptyUs = (newest: number | undefined, ownUs: number): number =>
    newest === undefined && own === 0
      ? ownUs
      : Math.max(newest ?? -Infinity, own ? ownUs : -Infinity) + perUs;
  return budgetState(
    k,
    { from: k - window.most - own, to: k - window.least - own },
    () => ({ from: now.loUs + waitUs.fromUs, to: now.hiUs + waitUs.toUs }),
    () => ({
      from: own ? now.loUs + perUs : emptyUs(window.certain(1), now.loUs),
      to: emptyUs(window.possible(1), now.hiUs),
    }),
  );
}

export interface WaitingUnits {
  readonly own: number; // units of this request in the log; 0 if none
  readonly next: number; // units that have to fit
}

/**
 * HDR-C1: the time until enough units have expired for the `next` units to fit. `own` units are added to the log.
 * If the allowance is smaller than `next`, they never fit.
 */
export function waitOf(
  { certain, possible }: InWindow,
  k: number,
  perUs: number,
  now: Moment,
  { own, next }: WaitingUnits,
): { fromUs: number; toUs: number } {
  if (k < next) return NEVER_PASSES;
  const last = k - next + 1;
  const leaves = (stamps: InWindow["certain"], ownUs: number, nowUs: number): number => {
    const lastUs = own > 0 ? withOwn(stamps, ownUs, last, own) : stamps(last);
    return lastUs === undefined ? 0 : Math.max(0, lastUs + perUs - nowUs);
  };
  return {
    fromUs: leaves(certain, now.loUs, now.hiUs),
    toUs: leaves(possible, now.hiUs, now.loUs),
  };
}

/** The k-th newest timestamp if this request's units are added to the log, sorted by timestamp. */
function withOwn(
  stamps: InWindow["certain"],
  ownUs: number,
  k: number,
  units: number,
): number | undefined {
  const [before, here] = [k <= units ? Number.POSITIVE_INFINITY : stamps(k - units), stamps(k)];
  if (before === undefined) return undefined;
  return Math.min(before, Math.max(ownUs, here ?? Number.NEGATIVE_INFINITY));
}

/**
 * The window of a bounded log. The log retains only its newest attempts; their maximum number is the largest rate of
 * all written attempts. After a rate increase it may lack attempts that a full log still counts (ALG-C9).
 */
export function inBoundedWindow(past: readonly Past[], now: Moment, perUs: number): InWindow {
  const writes = past.filter(({ attempt }) => isWritten(attempt));
  const visits = past.filter(({ attempt }) => !isWritten(attempt));
  const bounds = new Set(writes.map(({ attempt }) => attempt.capacity));
  const [bound = 0] = bounds;
  if (bounds.size === 1 && writes.every(({ counts }) => counts === "yes"))
    return inWindow([...visits, ...newestOf(writes, bound)], now, perUs);

  let most = 0;
  let retained: Past[] = [];
  for (const one of writes.filter(({ counts }) => counts === "yes")) {
    most = Math.max(most, one.attempt.capacity);
    retained = newestOf([...retained, one], most);
  }
  const { least, certain } = inWindow([...visits, ...retained], now, perUs);
  return { ...inWindow(past, now, perUs), least, certain };
}

const newestOf = (writes: readonly Past[], bound: number): Past[] =>
  bound < 1 ? [] : writes.toSorted((a, b) => a.attempt.loUs - b.attempt.loUs).slice(-bound);
