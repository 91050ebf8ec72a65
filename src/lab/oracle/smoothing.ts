// Computes the allowance that the specification requires (SMO-1 to SMO-9, SMO-C1 to SMO-C6). Comparisons are exact:
// they use integers in units of 10^-12.
import type { OracleLimit, OracleSmoothing } from "./configured.ts";

export interface Allowance {
  readonly value: number;
  readonly holdUntilUs: number;
}

interface PredictedChange {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly stampUs: number;
  readonly value: number;
}

export interface SmoothingBounds extends OracleSmoothing {
  readonly rate: number;
  readonly perUs: number;
}

export const boundsOf = ({ rate, perUs, smoothing }: OracleLimit): SmoothingBounds => {
  if (smoothing === null) throw new Error("a limit without smoothing has no bounds");
  return { ...smoothing, rate, perUs };
};

/** The allowance before a request, and the limit that applied to the last attempt. */
export interface KnownAllowance extends Allowance {
  readonly rule: SmoothingBounds;
}

export interface AllowanceMove {
  readonly allowance: Allowance;
  readonly changes: readonly PredictedChange[];
  /** Whether this request created the allowance or cut it to changed bounds. Such a request causes no step. */
  readonly isFresh: boolean;
}

const MILLION = 1_000_000n;
const millionths = (value: number): bigint => BigInt(Math.round(value * 1e6));
const plus = (a: number, b: number): number => Number(millionths(a) + millionths(b)) / 1e6;

/** Whether the number of attempts `r` is above the allowance `a` - step * trigger (SMO-3). */
const isRiseDue = (r: number, a: number, { step, trigger }: SmoothingBounds): boolean =>
  BigInt(r) * MILLION * MILLION > millionths(a) * MILLION - millionths(step) * millionths(trigger);

/** Whether the number of attempts `r` is below the allowance `a` - step * (1 + trigger) (SMO-4). */
const isFallDue = (r: number, a: number, bounds: SmoothingBounds): boolean =>
  BigInt(r) * MILLION * MILLION < fallsBelow(a, bounds);

const fallsBelow = (a: number, { step, trigger }: SmoothingBounds): bigint =>
  millionths(a) * MILLION - millionths(step) * (MILLION + millionths(trigger));

/** The most attempts in a window with which `a` falls between requests, minus the attempt that evaluating adds. */
function mostForFall(a: number, bounds: SmoothingBounds): number {
  const whole = MILLION * MILLION;
  const mostWithLook = Number((fallsBelow(a, bounds) - 1n) / whole);
  return Math.max(0, mostWithLook - 1);
}

const raise = (a: number, { step, rate }: SmoothingBounds): number => Math.min(plus(a, step), rate);
const lower = (a: number, { step, threshold }: SmoothingBounds): number =>
  Math.max(plus(a, -step), threshold);

export const oneStepUp = raise;

const createAllowance = ({ threshold, delayUs }: SmoothingBounds, nowUs: number): Allowance => ({
  value: threshold,
  holdUntilUs: nowUs + delayUs,
});

/** Whether an allowance is forgotten (SMO-C6): it is at the threshold, and its budget was unused for long enough. */
export const isAbsent = ({ value, rule }: KnownAllowance, quietUs: number): boolean =>
  value === rule.threshold && quietUs >= idleUs(rule);

/** Attempts written to the budget: those in its log, and the last one, which a reset may have removed (MGT-C11). */
interface WrittenAttempts {
  readonly stamps: readonly number[];
  readonly lastUs: number; // minus infinity if there is none
}

/**
 * Returns the allowance before this request is counted (SMO-C6). If the budget was unused at the threshold for long
 * enough, the allowance is new. Otherwise the falls that were due lower it, and then changed bounds cut it (MGT-C5).
 */
export function settle(
  record: KnownAllowance | null,
  bounds: SmoothingBounds,
  { stamps, lastUs }: WrittenAttempts,
  nowUs: number,
): AllowanceMove {
  const anew: AllowanceMove = {
    allowance: createAllowance(bounds, nowUs),
    changes: [],
    isFresh: true,
  };
  if (record === null) return anew;
  const newest = stamps.toSorted((a, b) => b - a);
  if (isAbsent(record, nowUs - lastUs)) return anew;

  const changes: PredictedChange[] = [];
  let { value, holdUntilUs } = record;
  const start = Math.min(value, bounds.rate);
  for (let a = start; a > bounds.threshold; a = value) {
    const leaving = newest[mostForFall(a, bounds)]; // when this attempt expires, few enough remain for a fall
    const fewUs = leaving === undefined ? lastUs : leaving + bounds.perUs;
    const dueUs = Math.max(lastUs + 1, holdUntilUs, fewUs);
    if (dueUs >= nowUs) break;
    value = lower(a, bounds);
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

export const cut = (a: number, { threshold, rate }: SmoothingBounds): number =>
  Math.min(Math.max(a, threshold), rate);

/** Applies at most one step; a rise is tried first (SMO-C1 to SMO-C3). `r` is the attempts including this request. */
export function step(
  moved: AllowanceMove,
  bounds: SmoothingBounds,
  r: number,
  nowUs: number,
): AllowanceMove {
  const { value, holdUntilUs } = moved.allowance;
  if (moved.isFresh || nowUs < holdUntilUs) return moved;
  const up = isRiseDue(r, value, bounds);
  const next = up
    ? raise(value, bounds)
    : isFallDue(r, value, bounds)
      ? lower(value, bounds)
      : value;
  if (next === value) return moved;
  const event = up ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
  return {
    allowance: { value: next, holdUntilUs: nowUs + bounds.delayUs },
    changes: [...moved.changes, { event, stampUs: nowUs, value: next }],
    isFresh: false,
  };
}

/** After this time without an attempt, an allowance at the threshold is forgotten (SMO-C6). */
export const idleUs = ({ perUs, delayUs }: SmoothingBounds): number => Math.max(perUs, 2 * delayUs);

/** After this time without an attempt, the allowance is surely back at the threshold and forgotten. */
export const forgottenAfterUs = ({
  perUs,
  delayUs,
  rate,
  threshold,
  step: by,
}: SmoothingBounds): number =>
  perUs + 2 * delayUs + (Math.ceil((rate - threshold) / by) + 1) * delayUs;
