// The allowance of one budget, as SMO reads: whole millionths of a millionth, so that nothing is rounded.
import type { Limit, Smoothing } from "../../../src/core/limit.ts";

export interface Kept {
  readonly value: bigint;
  readonly holdUntilUs: number;
  readonly lastUs: number; // newest attempt written
}

export interface Change {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly atUs: number;
  readonly allowance: number;
}

export interface Moved {
  readonly kept: Kept;
  readonly changes: readonly Change[];
}

const ONE = 1_000_000_000_000n;
const exact = (value: number): bigint => BigInt(Math.round(value * 1_000_000)) * 1_000_000n;
export const toNumber = (value: bigint): number => Number(value / 1_000_000n) / 1_000_000;
export const wholePart = (value: bigint): number => Number(value / ONE);

const times = (a: bigint, b: bigint): bigint => (a * b) / ONE; // of at most six decimals each: exact
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

interface Rule {
  readonly threshold: bigint;
  readonly rate: bigint;
  readonly step: bigint;
  readonly risesAbove: (value: bigint) => bigint; // r above it (SMO-3)
  readonly fallsBelow: (value: bigint) => bigint; // r below it (SMO-4)
  readonly delayUs: number;
  readonly perUs: number;
}

function ruleOf({ rate, perUs }: Limit, smoothing: Smoothing): Rule {
  const [step, trigger] = [exact(smoothing.step), exact(smoothing.trigger)];
  return {
    threshold: exact(smoothing.threshold),
    rate: exact(rate),
    step,
    risesAbove: (value) => value - times(step, trigger),
    fallsBelow: (value) => value - times(step, ONE + trigger),
    delayUs: smoothing.delayUs,
    perUs,
  };
}

const inside = (attempts: readonly number[], perUs: number, untilUs: number): number =>
  attempts.filter((us) => us > untilUs - perUs && us <= untilUs).length;

/**
 * What a request at `nowUs` makes of A: falls that came due (SMO-C6), the end of the record, a cut to its
 * bounds, and one step at most (SMO-C1 to SMO-C3).
 */
export function moved(
  limit: Limit,
  smoothing: Smoothing,
  kept: Kept | null,
  attempts: readonly number[],
  nowUs: number,
): Moved {
  const rule = ruleOf(limit, smoothing);
  const created: Kept = {
    value: rule.threshold,
    holdUntilUs: nowUs + rule.delayUs,
    lastUs: nowUs,
  };
  if (kept === null) return { kept: created, changes: [] };
  const changes: Change[] = [];
  let { value, holdUntilUs } = kept;
  const lastUs = Math.max(kept.lastUs, nowUs);
  const change = (to: bigint, atUs: number): void => {
    const event = to > value ? "RateLimitSmoothingUp" : "RateLimitSmoothingDown";
    changes.push({ event, atUs, allowance: toNumber(to) });
    value = to;
    holdUntilUs = atUs + rule.delayUs;
  };

  const isDue = (): boolean =>
    holdUntilUs <= nowUs && holdUntilUs > kept.lastUs && value > rule.threshold;
  const attempted = (): bigint => BigInt(inside(attempts, rule.perUs, holdUntilUs)) * ONE;
  while (isDue() && attempted() < rule.fallsBelow(value))
    change(most(value - rule.step, rule.threshold), holdUntilUs);
  const quietUs = nowUs - kept.lastUs;
  if (value === rule.threshold && quietUs >= Math.max(rule.perUs, 2 * rule.delayUs))
    return { kept: created, changes };

  const bounded = least(most(value, rule.threshold), rule.rate);
  if (bounded !== value) {
    change(bounded, nowUs);
    return { kept: { value, holdUntilUs, lastUs }, changes };
  }
  if (holdUntilUs <= nowUs) {
    const r = BigInt(attempts.filter((us) => us > nowUs - rule.perUs).length + 1) * ONE;
    if (r > rule.risesAbove(value)) {
      if (value < rule.rate) change(least(value + rule.step, rule.rate), nowUs);
    } else if (r < rule.fallsBelow(value) && value > rule.threshold)
      change(most(value - rule.step, rule.threshold), nowUs);
  }
  return { kept: { value, holdUntilUs, lastUs }, changes };
}
