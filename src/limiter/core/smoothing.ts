// The allowance of one budget and how it changes (SMO). Allowances and margins are integers, in millionths, so that a
// script in a store computes exactly the same.
import { millionths, type Limit } from "./limit.ts";
import type { Micros } from "../../kit/units.ts";

const MILLIONTHS = 1_000_000; // in 1, as in limit.ts

export interface SmoothingRule {
  readonly threshold: number; // millionths
  readonly step: number;
  readonly ceiling: number; // the limit's rate, in millionths
  readonly riseMargin: number; // the allowance rises while allowance - attempts is below this margin (SMO-3)
  readonly fallMargin: number; // the allowance falls while allowance - attempts is above this margin (SMO-4)
  readonly delayUs: Micros;
}

/** The stored state of one smoothed budget. */
export interface AllowanceRecord {
  readonly value: number; // millionths
  readonly holdUntilUs: number;
  readonly lastUs: number; // time of the newest attempt
  /** From this time on the record counts as absent; infinity while falls are pending (SMO-C6). */
  readonly absentFromUs: number;
}

export interface AllowanceChange {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly atUs: Micros;
  readonly allowance: number; // requests
}

export interface AllowanceUpdate {
  readonly allowance: AllowanceRecord;
  readonly changes: readonly AllowanceChange[];
}

interface Settled extends AllowanceUpdate {
  readonly isCut: boolean;
}

export function smoothingRule(limit: Limit): SmoothingRule | null {
  const smoothing = limit.smoothing;
  if (smoothing === null) return null;
  const step = millionths(smoothing.step);
  const trigger = BigInt(millionths(smoothing.trigger));
  const stepTimes = (factor: bigint): bigint => BigInt(step) * factor; // in units of 1e-12
  const scale = BigInt(MILLIONTHS);
  return {
    threshold: millionths(smoothing.threshold),
    step,
    ceiling: millionths(limit.rate),
    // A - r is an integer of millionths, so "below x" means below ceil(x), and "above x" means above floor(x).
    riseMargin: Number((stepTimes(trigger) + scale - 1n) / scale),
    fallMargin: Number(stepTimes(scale + trigger) / scale),
    delayUs: smoothing.delayUs,
  };
}

/** The allowance rounded down: how many attempts a window may hold. */
export const wholeAllowance = (value: number): number => Math.floor(value / MILLIONTHS);

const NONE: readonly AllowanceChange[] = [];

/** The k-th newest attempt of the log, counted from 1; minus infinity if there are fewer. */
type Newest = (k: number) => number;

/**
 * Updates the allowance to `nowUs`, before this request, in the order of SMO-C6: an idle record is absent, falls that
 * were due without a request are applied, and an allowance outside its bounds is cut (MGT-C5).
 */
export function settle(
  rule: SmoothingRule,
  stored: AllowanceRecord | null,
  newest: Newest,
  perUs: number,
  nowUs: Micros,
): Settled {
  if (stored === null || nowUs >= stored.absentFromUs) return createSettled(rule, nowUs);
  const changes: AllowanceChange[] = [];
  let { holdUntilUs } = stored;
  let value = Math.min(stored.value, rule.ceiling);
  while (value > rule.threshold) {
    const dueUs = nextFallUs(rule, { value, holdUntilUs, lastUs: stored.lastUs }, newest, perUs);
    if (dueUs >= nowUs) break;
    value = Math.max(value - rule.step, rule.threshold);
    changes.push(change("RateLimitSmoothingDown", dueUs, value));
    holdUntilUs = dueUs + rule.delayUs;
  }
  const lastUs = Math.max(stored.lastUs, newest(1));
  if (value === rule.threshold && nowUs - lastUs >= idleUs(rule, perUs))
    return { ...createSettled(rule, nowUs), changes };
  if (changes.length === 0) value = stored.value;
  const bounded = bound(rule, value);
  const isCut = bounded !== value;
  if (isCut) {
    const event = bounded > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
    changes.push(change(event, nowUs, bounded));
    holdUntilUs = nowUs + rule.delayUs;
  }
  return { allowance: { ...stored, value: bounded, holdUntilUs }, changes, isCut };
}

/**
 * The first time after the last attempt at which the hold-off is over and A may fall (SMO-4). Without new attempts the
 * log only shrinks. So the fall is due when the log with one more attempt is short enough; an empty log always is.
 */
function nextFallUs(
  rule: SmoothingRule,
  { value, holdUntilUs, lastUs }: Omit<AllowanceRecord, "absentFromUs">,
  newest: Newest,
  perUs: number,
): number {
  const fewEnough = Math.max(0, Math.ceil((value - rule.fallMargin) / MILLIONTHS) - 2);
  // Attempts from before smoothing was enabled are in the log, but not in `lastUs`.
  const afterUs = Math.max(lastUs, newest(1)) + 1;
  return Math.max(holdUntilUs, afterUs, newest(fewEnough + 1) + perUs);
}

const bound = (rule: SmoothingRule, value: number): number =>
  Math.min(Math.max(value, rule.threshold), rule.ceiling);

const idleUs = (rule: SmoothingRule, perUs: number): number => Math.max(perUs, 2 * rule.delayUs);

/** Changes A by at most one step after the hold-off, up if possible (SMO-C1, SMO-C2). `r` includes this request. */
export function step(
  rule: SmoothingRule,
  settled: Settled,
  r: number,
  nowUs: Micros,
): AllowanceUpdate {
  const { allowance } = settled;
  if (settled.isCut || allowance.holdUntilUs > nowUs) return settled;
  const distance = allowance.value - r * MILLIONTHS;
  let value = allowance.value;
  if (distance < rule.riseMargin) value = Math.min(value + rule.step, rule.ceiling);
  else if (distance > rule.fallMargin) value = Math.max(value - rule.step, rule.threshold);
  if (value === allowance.value) return settled; // SMO-C3: no change, no event, no new hold-off
  const event = value > allowance.value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
  return {
    allowance: { ...allowance, value, holdUntilUs: nowUs + rule.delayUs },
    changes: [...settled.changes, change(event, nowUs, value)],
  };
}

/** The allowance after one more rise, which a refused client can wait for (HDR-C1). */
export const nextAllowance = (rule: SmoothingRule, allowance: AllowanceRecord): number =>
  Math.min(allowance.value + rule.step, rule.ceiling);

/**
 * The record after an attempt was written. It may become absent only if the allowance is at the threshold. Above the
 * threshold, falls are pending, and each of them emits an event (EVT-1).
 */
export function afterAttempt(
  rule: SmoothingRule,
  { value, holdUntilUs, lastUs }: AllowanceRecord,
  perUs: number,
  nowUs: Micros,
): AllowanceRecord {
  const newestUs = Math.max(lastUs, nowUs);
  return {
    value,
    holdUntilUs,
    lastUs: newestUs,
    absentFromUs:
      value === rule.threshold ? newestUs + idleUs(rule, perUs) : Number.POSITIVE_INFINITY,
  };
}

/** The allowance before pending falls are applied: the sentinel decides by this value (ALG-C5). */
export const valueBeforeFalls = (
  rule: SmoothingRule,
  stored: AllowanceRecord | undefined,
  nowUs: Micros,
): number =>
  stored === undefined || nowUs >= stored.absentFromUs ? rule.threshold : bound(rule, stored.value);

const createSettled = (rule: SmoothingRule, nowUs: Micros): Settled => ({
  allowance: {
    value: rule.threshold,
    holdUntilUs: nowUs + rule.delayUs,
    lastUs: nowUs,
    absentFromUs: Number.POSITIVE_INFINITY,
  },
  changes: NONE,
  isCut: false,
});

const change = (event: AllowanceChange["event"], atUs: number, value: number): AllowanceChange => ({
  event,
  atUs: atUs as Micros,
  allowance: value / MILLIONTHS,
});
