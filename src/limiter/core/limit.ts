import { micros, SECOND, type Micros } from "../../kit/units.ts";

/** Smoothing of one limit object (document, Rate limit smoothing). Present only where `enabled` is true (SMO-8). */
export interface Smoothing {
  readonly threshold: number;
  readonly step: number;
  readonly trigger: number;
  readonly delayUs: Micros;
}

/**
 * Requests per window. `rate` is -1 for unlimited (LIM-C10) and 0 for "admits nothing" (LIM-C2). An absent limit
 * (missing, null, 0/0) is never a Limit: the readers of configurations return null for it.
 */
export interface Limit {
  readonly rate: number;
  readonly perUs: Micros;
  readonly smoothing: Smoothing | null;
  readonly shadow?: true; // only while it is read: a configuration has its shadow limits apart
}

export const UNLIMITED_RATE = -1;

export const isUnlimited = (limit: Limit): boolean => limit.rate === UNLIMITED_RATE;

/** What one window admits: a fractional rate above 1 admits its whole part (LIM-C2). */
export const capacityOf = (limit: Limit): number => Math.floor(limit.rate);

/** In one. Hot paths declare a constant of this name themselves, because an engine folds only a module's own constants. */
export const MILLIONTHS = 1_000_000;

/** A number of at most six decimals as a whole number of millionths, exact. */
export const millionths = (value: number): number => Math.round(value * MILLIONTHS);

/** True when the shortest decimal text of the number has at most six decimals (LIM-C2). */
export const hasAtMostSixDecimals = (value: number): boolean =>
  Number.isSafeInteger(millionths(value)) && millionths(value) / MILLIONTHS === value;

/**
 * Compares effective rates (rate / per) as rational numbers, never as doubles, so that a tie is a tie
 * (LIM-C2, LIM-C4). Positive when `a` is faster. Unlimited beats every number and ties with itself.
 */
export function compareEffectiveRate(a: Limit, b: Limit): number {
  if (isUnlimited(a) || isUnlimited(b)) return Number(isUnlimited(a)) - Number(isUnlimited(b));
  const left = BigInt(millionths(a.rate)) * BigInt(b.perUs);
  const right = BigInt(millionths(b.rate)) * BigInt(a.perUs);
  return left > right ? 1 : left < right ? -1 : 0;
}

/** ALG-1, ALG-C1: strictly more than `threshold` requests per second for each of `gateways`. Exact. */
export function exceedsThreshold(limit: Limit, threshold: number, gateways: number): boolean {
  const offered = BigInt(millionths(limit.rate)) * BigInt(SECOND);
  return offered > BigInt(millionths(threshold)) * BigInt(gateways) * BigInt(limit.perUs);
}

/** LIM-10: 0/0 is no limit. */
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
