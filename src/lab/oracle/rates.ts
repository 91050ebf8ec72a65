// Rates as exact fractions. The oracle has its own code for them, so that it shares no bug with the core.
import type { OracleLimit } from "./configured.ts";

/** A decimal with at most six places, as an integer number of millionths (LIM-C2). */
const fraction = (value: number): bigint => BigInt(Math.round(value * 1e6));

export const isUnlimited = (limit: OracleLimit): boolean => limit.rate === -1;

/** LIM-5, LIM-C4: whether `a` has the strictly higher effective rate. */
export function isFaster(a: OracleLimit, b: OracleLimit): boolean {
  if (isUnlimited(b)) return false;
  if (isUnlimited(a)) return true;
  return fraction(a.rate) * BigInt(b.perUs) > fraction(b.rate) * BigInt(a.perUs);
}

/** ALG-1: whether the rate exceeds `threshold` per second for each of `gateways`. */
export const isAboveThreshold = (
  limit: OracleLimit,
  threshold: number,
  gateways: number,
): boolean =>
  fraction(limit.rate) * 1_000_000n > fraction(threshold) * BigInt(gateways) * BigInt(limit.perUs);

/** The limit with the highest effective rate; among equals, the first. */
export const fastest = (limits: readonly OracleLimit[]): OracleLimit | null =>
  limits.reduce<OracleLimit | null>(
    (best, limit) => (best === null || isFaster(limit, best) ? limit : best),
    null,
  );
