// The allowance A by the text (SMO-1 to SMO-9, SMO-C1 to SMO-C6), on exact fractions: everything is counted
// in millionths of a millionth, so that no comparison rounds.
import type { Smoothing } from "../core/limit.ts";

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
const asksForLess = (r: number, a: number, { step, trigger }: Bounds): boolean =>
  BigInt(r) * MILLION * MILLION <
  millionths(a) * MILLION - millionths(step) * (MILLION + millionths(trigger));

const raised = (a: number, { step, rate }: Bounds): number => Math.min(plus(a, step), rate);
const lowered = (a: number, { step, threshold }: Bounds): number =>
  Math.max(plus(a, -step), threshold);

export const oneStepUp = raised;

const created = ({ threshold, delayUs }: Bounds, nowUs: number): Allowance => ({
  value: threshold,
  holdUntilUs: nowUs + delayUs,
});

/**
 * A as it stands when a request comes, before that request counts: falls made up, the record forgotten
 * if it was idle at the threshold for long enough, and a cut to bounds that have moved (MGT-C5).
 * `stamps` are the attempts written to the budget.
 */
export function settle(
  kept: Allowance | null,
  bounds: Bounds,
  stamps: readonly number[],
  nowUs: number,
): Moved {
  if (kept === null) return { allowance: created(bounds, nowUs), changes: [], isFresh: true };
  const lastUs = stamps.reduce((last, us) => Math.max(last, us), Number.NEGATIVE_INFINITY);
  const changes: Change[] = [];
  let { value, holdUntilUs } = kept;
  for (;;) {
    const dueUs = holdUntilUs;
    if (dueUs > nowUs || dueUs <= lastUs || value <= bounds.threshold) break;
    const r = stamps.filter((us) => us > dueUs - bounds.perUs).length;
    if (!asksForLess(r, value, bounds)) break;
    value = lowered(value, bounds);
    changes.push({ event: "RateLimitSmoothingDown", stampUs: dueUs, value });
    holdUntilUs = dueUs + bounds.delayUs;
  }
  if (value === bounds.threshold && nowUs - lastUs >= idleUs(bounds)) {
    return { allowance: created(bounds, nowUs), changes, isFresh: true };
  }
  const within = Math.min(Math.max(value, bounds.threshold), bounds.rate);
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
