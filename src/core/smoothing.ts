// The allowance A of one budget and how it moves (SMO). Allowances and margins are whole millionths, so
// that no comparison depends on how a decimal is stored: a script in a store computes the same.
import { millionths, type Limit } from "./limit.ts";
import type { Micros } from "./units.ts";

export const MILLIONTHS = 1_000_000;

export interface SmoothingRule {
  readonly threshold: number; // millionths
  readonly step: number;
  readonly ceiling: number; // the limit's rate
  readonly riseMargin: number; // A rises while A - r is below it (SMO-3)
  readonly fallMargin: number; // A falls while A - r is above it (SMO-4)
  readonly delayUs: Micros;
}

/** What is kept of one smoothed budget. */
export interface Allowance {
  readonly value: number; // millionths
  readonly holdUntilUs: number;
  readonly lastUs: number; // newest attempt: until then every fall has been looked at
}

export interface AllowanceChange {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly atUs: Micros;
  readonly allowance: number; // requests
}

export interface Moved {
  readonly allowance: Allowance;
  readonly changes: readonly AllowanceChange[];
}

export function smoothingRule(limit: Limit): SmoothingRule | null {
  const smoothing = limit.smoothing;
  if (smoothing === null) return null;
  const step = millionths(smoothing.step);
  const trigger = BigInt(millionths(smoothing.trigger));
  const scaled = (factor: bigint): bigint => BigInt(step) * factor; // in units of 1e-12
  const scale = BigInt(MILLIONTHS);
  return {
    threshold: millionths(smoothing.threshold),
    step,
    ceiling: millionths(limit.rate),
    // A - r is a whole number of millionths: below x means below ceil(x), above x means above floor(x).
    riseMargin: Number((scaled(trigger) + scale - 1n) / scale),
    fallMargin: Number(scaled(scale + trigger) / scale),
    delayUs: smoothing.delayUs,
  };
}

/** floor(A): how many attempts a window may hold. */
export const wholeAllowance = (value: number): number => Math.floor(value / MILLIONTHS);

const NONE: readonly AllowanceChange[] = [];

type Count = (afterUs: number, untilUs: number) => number;

/**
 * Brings A up to `nowUs` without this request: falls that came due while nobody called (SMO-C6), the
 * record's end, and a cut to bounds that a configuration has moved (MGT-C5).
 * `attempts` counts what the log holds in (after, until].
 */
export function settle(
  rule: SmoothingRule,
  kept: Allowance | null,
  attempts: Count,
  perUs: number,
  nowUs: Micros,
): Moved & { readonly cut: boolean } {
  if (kept === null) return { ...created(rule, nowUs), cut: false };
  let { value, holdUntilUs } = kept;
  const changes: AllowanceChange[] = [];
  while (holdUntilUs <= nowUs && holdUntilUs > kept.lastUs && value > rule.threshold) {
    const r = attempts(holdUntilUs - perUs, holdUntilUs);
    if (value - r * MILLIONTHS <= rule.fallMargin) break;
    value = Math.max(value - rule.step, rule.threshold);
    changes.push(change("RateLimitSmoothingDown", holdUntilUs, value));
    holdUntilUs += rule.delayUs;
  }
  if (value === rule.threshold && nowUs - kept.lastUs >= Math.max(perUs, 2 * rule.delayUs)) {
    return { allowance: created(rule, nowUs).allowance, changes, cut: false };
  }
  const bounded = Math.min(Math.max(value, rule.threshold), rule.ceiling);
  const cut = bounded !== value;
  if (cut) {
    changes.push(
      change(bounded > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown", nowUs, bounded),
    );
    holdUntilUs = nowUs + rule.delayUs;
  }
  return { allowance: { value: bounded, holdUntilUs, lastUs: kept.lastUs }, changes, cut };
}

/** One step at most, rise before fall, once the hold-off has ended (SMO-C1, SMO-C2). `r` counts this request. */
export function step(
  rule: SmoothingRule,
  settled: Moved & { readonly cut: boolean },
  r: number,
  nowUs: Micros,
): Moved {
  const { allowance } = settled;
  if (settled.cut || allowance.holdUntilUs > nowUs) return settled;
  const distance = allowance.value - r * MILLIONTHS;
  let value = allowance.value;
  if (distance < rule.riseMargin) value = Math.min(value + rule.step, rule.ceiling);
  else if (distance > rule.fallMargin) value = Math.max(value - rule.step, rule.threshold);
  if (value === allowance.value) return settled; // SMO-C3: no change, no event, no new hold-off
  const event = value > allowance.value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
  return {
    allowance: { value, holdUntilUs: nowUs + rule.delayUs, lastUs: allowance.lastUs },
    changes: [...settled.changes, change(event, nowUs, value)],
  };
}

/** The allowance that one more step up would give: what a refused client may hope for (HDR-C1). */
export const nextAllowance = (rule: SmoothingRule, allowance: Allowance): number =>
  Math.min(allowance.value + rule.step, rule.ceiling);

/**
 * From when on the record counts as absent (SMO-C6). Above the threshold it never does: its falls are still
 * to be told, once each (EVT-1), to whoever comes next.
 */
export const forgettableUs = (rule: SmoothingRule, allowance: Allowance, perUs: number): number =>
  allowance.value > rule.threshold
    ? Number.POSITIVE_INFINITY
    : allowance.lastUs + Math.max(perUs, 2 * rule.delayUs);

const created = (rule: SmoothingRule, nowUs: Micros): Moved => ({
  allowance: { value: rule.threshold, holdUntilUs: nowUs + rule.delayUs, lastUs: nowUs },
  changes: NONE,
});

const change = (event: AllowanceChange["event"], atUs: number, value: number): AllowanceChange => ({
  event,
  atUs: atUs as Micros,
  allowance: value / MILLIONTHS,
});
