// The allowance A by the text (SMO-1 to SMO-9, SMO-C1 to SMO-C6), on exact fractions: everything is counted
// in millionths of a millionth, so that no comparison rounds.
import type { Limit, Smoothing } from "./configured.ts";

export interface Allowance {
  readonly value: number;
  readonly holdUntilUs: number;
}

export interface Change {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly stampUs: number;
  readonly value: number;
}

export interface Bounds extends Smoothing {
  readonly rate: number;
  readonly perUs: number;
}

export const boundsOf = ({ rate, perUs, smoothing }: Limit): Bounds => {
  if (smoothing === null) throw new Error("a limit without smoothing has no bounds");
  return { ...smoothing, rate, perUs };
};

/** What is known of A when a request comes: where it stands, and the rule that judged the last attempt. */
export interface Kept extends Allowance {
  readonly rule: Bounds;
}

export interface Moved {
  readonly allowance: Allowance;
  readonly changes: readonly Change[];
  /** A was created or cut at this request: no step may follow. */
  readonly isFresh: boolean;
}

const MILLION = 1_000_000n;
const millionths = (value: number): bigint => BigInt(Math.round(value * 1e6));
const plus = (a: number, b: number): number => Number(millionths(a) + millionths(b)) / 1e6;

/** Is r above A - step * trigger (SMO-3)? */
const asksForMore = (r: number, a: number, { step, trigger }: Bounds): boolean =>
  BigInt(r) * MILLION * MILLION > millionths(a) * MILLION - millionths(step) * millionths(trigger);

/** Is r below A - step * (1 + trigger) (SMO-4)? */
const asksForLess = (r: number, a: number, bounds: Bounds): boolean =>
  BigInt(r) * MILLION * MILLION < fallsBelow(a, bounds);

const fallsBelow = (a: number, { step, trigger }: Bounds): bigint =>
  millionths(a) * MILLION - millionths(step) * (MILLION + millionths(trigger));

/** With how many attempts in the window, at most, a made-up look lets A fall: it counts too, if any other does. */
function mostForFall(a: number, bounds: Bounds): number {
  const whole = MILLION * MILLION;
  const mostWithLook = Number((fallsBelow(a, bounds) - 1n) / whole);
  return Math.max(0, mostWithLook - 1);
}

const raised = (a: number, { step, rate }: Bounds): number => Math.min(plus(a, step), rate);
const lowered = (a: number, { step, threshold }: Bounds): number =>
  Math.max(plus(a, -step), threshold);

export const oneStepUp = raised;

const created = ({ threshold, delayUs }: Bounds, nowUs: number): Allowance => ({
  value: threshold,
  holdUntilUs: nowUs + delayUs,
});

/** (1) of SMO-C6: at rest, and nobody has called for long enough. */
export const isAbsent = ({ value, rule }: Kept, quietUs: number): boolean =>
  value === rule.threshold && quietUs >= idleUs(rule);

/**
 * A as it stands when a request comes, before that request counts (SMO-C6): forgotten if it was idle at the
 * threshold for long enough, else lowered by the falls that nobody carried, else cut to bounds that have
 * moved (MGT-C5). `stamps` are the attempts written to the budget.
 */
export function settle(
  kept: Kept | null,
  bounds: Bounds,
  stamps: readonly number[],
  nowUs: number,
): Moved {
  const anew: Moved = { allowance: created(bounds, nowUs), changes: [], isFresh: true };
  if (kept === null) return anew;
  const newest = stamps.toSorted((a, b) => b - a);
  const lastUs = newest[0] ?? Number.NEGATIVE_INFINITY;
  if (isAbsent(kept, nowUs - lastUs)) return anew;

  const changes: Change[] = [];
  let { value, holdUntilUs } = kept;
  const start = Math.min(value, bounds.rate);
  for (let a = start; a > bounds.threshold; a = value) {
    const leaving = newest[mostForFall(a, bounds)]; // once it is gone, few enough are left
    const fewUs = leaving === undefined ? lastUs : leaving + bounds.perUs;
    const dueUs = Math.max(lastUs + 1, holdUntilUs, fewUs);
    if (dueUs >= nowUs) break;
    value = lowered(a, bounds);
    changes.push({ event: "RateLimitSmoothingDown", stampUs: dueUs, value });
    holdUntilUs = dueUs + bounds.delayUs;
  }
  if (value === bounds.threshold && nowUs - lastUs >= idleUs(bounds)) return { ...anew, changes };
  const within = cut(value, bounds);
  if (within === value) return { allowance: { value, holdUntilUs }, changes, isFresh: false };
  changes.push({
    event: within > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown",
    stampUs: nowUs,
    value: within,
  });
  return {
    allowance: { value: within, holdUntilUs: nowUs + bounds.delayUs },
    changes,
    isFresh: true,
  };
}

export const cut = (a: number, { threshold, rate }: Bounds): number =>
  Math.min(Math.max(a, threshold), rate);

/** SMO-C1 to SMO-C3: one step at most, a rise before a fall; `r` counts this request too. */
export function step(moved: Moved, bounds: Bounds, r: number, nowUs: number): Moved {
  const { value, holdUntilUs } = moved.allowance;
  if (moved.isFresh || nowUs < holdUntilUs) return moved;
  const up = asksForMore(r, value, bounds);
  const next = up
    ? raised(value, bounds)
    : asksForLess(r, value, bounds)
      ? lowered(value, bounds)
      : value;
  if (next === value) return moved;
  const event = up ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
  return {
    allowance: { value: next, holdUntilUs: nowUs + bounds.delayUs },
    changes: [...moved.changes, { event, stampUs: nowUs, value: next }],
    isFresh: false,
  };
}

/** After so long without an attempt the record of an A at the threshold is forgotten (SMO-C6). */
export const idleUs = ({ perUs, delayUs }: Bounds): number => Math.max(perUs, 2 * delayUs);

/** After so long without an attempt A is surely back at the threshold and forgotten. */
export const forgottenAfterUs = ({ perUs, delayUs, rate, threshold, step: by }: Bounds): number =>
  perUs + 2 * delayUs + (Math.ceil((rate - threshold) / by) + 1) * delayUs;
