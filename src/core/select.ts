// Which algorithm counts a budget (ALG-1, ALG-2, ALG-C1), and with which numbers.
import { isQuota, type Budget } from "./budget.ts";
import type { Algorithm, GatewayOptions } from "./config.ts";
import { capacityOf, exceedsThreshold, millionths, type Limit } from "./limit.ts";
import { smoothingRule } from "./smoothing.ts";
import type { Level } from "./store.ts";

export function chooseAlgorithm(
  options: GatewayOptions,
  limit: Limit,
  gateways: number,
): Algorithm {
  if (options.algorithm !== null) return options.algorithm;
  if (options.enableFixedWindowRateLimiter) return "fixed_window";
  if (options.enableSentinelRateLimiter) return "sentinel";
  if (options.drlThreshold > 0 && exceedsThreshold(limit, options.drlThreshold, gateways))
    return "drl";
  return options.enableNonTransactionalRateLimiter ? "non_transactional" : "sliding_log";
}

const LOG_BASED: ReadonlySet<Algorithm> = new Set<Algorithm>([
  "sliding_log",
  "non_transactional",
  "sentinel",
  "bounded_log",
]);

/** Only these are smoothed (SMO-C5), and only these write what they refuse (ALG-3). */
export const isLogBased = (algorithm: Algorithm): boolean => LOG_BASED.has(algorithm);

/** What one of `gateways` may admit on its own: at least one, unless the limit admits nothing (ALG-C4). */
export const shareOf = (rate: number, gateways: number): number =>
  rate === 0 ? 0 : Math.max(1, Math.floor(millionths(rate) / (gateways * 1_000_000)));

export function levelOf(options: GatewayOptions, budget: Budget, gateways: number): Level {
  const { limit } = budget;
  // A quota is always counted in the store, whatever counts the rates (LIM-C9).
  const algorithm = isQuota(budget.scope)
    ? "fixed_window"
    : chooseAlgorithm(options, limit, gateways);
  const whole = capacityOf(limit);
  return {
    budget,
    algorithm,
    capacity: algorithm === "drl" ? shareOf(limit.rate, gateways) : whole,
    shownLimit: whole,
    burst:
      algorithm === "gcra" && options.burst !== "rate" ? Math.min(whole, options.burst) : whole,
    rule: isLogBased(algorithm) ? smoothingRule(limit) : null,
    startsAtClock:
      algorithm === "fixed_window" &&
      !isQuota(budget.scope) &&
      options.fixedWindowStart === "clock",
    fixedMark: options.sentinelMark === "fixed",
    place: algorithm === "drl" ? "gateway" : "store",
  };
}
