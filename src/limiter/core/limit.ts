import { micros, SECOND, type Micros } from "../../kit/units.ts";

/** Smoothing of one limit (specification, Rate limit smoothing). Null unless `enabled` is true (SMO-8). */
export interface Smoothing {
  readonly threshold: number;
  readonly step: number;
  readonly trigger: number;
  readonly delayUs: Micros;
}

/**
 * Requests per window. `rate` -1 is unlimited (LIM-C10), and 0 admits nothing (LIM-C2). A missing, null or 0/0 limit is
 * never a `Limit`: the readers of configurations return null for it.
 */
export interface Limit {
  readonly rate: number;
  readonly perUs: Micros;
  readonly smoothing: Smoothing | null;
  readonly shadow?: true; // only while a configuration is read, before its shadow limits are separated
}

export const UNLIMITED_RATE = -1;

export const isUnlimited = (limit: Limit): boolean => limit.rate === UNLIMITED_RATE;

/** How many requests one window admits: the whole part of a fractional rate above 1 (LIM-C2). */
export const capacityOf = (limit: Limit): number => Math.floor(limit.rate);

/** Millionths in 1. Hot paths have their own constant, because V8 inlines only constants of the same module. */
export const MILLIONTHS = 1_000_000;

/** A number of at most six decimals as a whole number of millionths, exact. */
export const millionths = (value: number): number => Math.round(value * MILLIONTHS);

/** True when the shortest decimal text of the number has at most six decimals (LIM-C2). */
export const hasAtMostSixDecimals = (value: number): boolean =>
  Number.isSafeInteger(millionths(value)) && millionths(value) / MILLIONTHS === value;

/**
 * Compares effective rates (rate / per) as fractions, never as doubles, so that equal rates are equal (LIM-C2, LIM-C4).
 * Positive if `a` is faster. An unlimited rate is faster than any number and equal to itself.
 */
export function compareEffectiveRate(a: Limit, b: Limit): number {
  if (isUnlimited(a) || isUnlimited(b)) return Number(isUnlimited(a)) - Number(isUnlimited(b));
  const left = BigInt(millionths(a.rate)) * BigInt(b.perUs);
  const right = BigInt(millionths(b.rate)) * BigInt(a.perUs);
  return left > right ? 1 : left < right ? -1 : 0;
}

/** Whether the limit is above `threshold` requests per second for each of `gateways` (ALG-1, ALG-C1). Exact. */
export function exceedsThreshold(limit: Limit, threshold: number, gateways: number): boolean {
  const offered = BigInt(millionths(limit.rate)) * BigInt(SECOND);
  return offered > BigInt(millionths(threshold)) * BigInt(gateways) * BigInt(limit.perUs);
}

/** True for rate 0 and per 0, which mean that there is no limit (LIM-10). */
export const isAbsent = (rate: number, per: number): boolean => rate === 0 && per === 0;

export const limitOf = (
  rate: number,
  perSeconds: number,
  smoothing: Smoothing | null = null,
): Limit => ({
  rate,
  perUs: micros(Math.round(perSeconds * SECOND)),
  smoothing,
});
