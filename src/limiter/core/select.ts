// Chooses the algorithm that counts a budget (ALG-1, ALG-2, ALG-C1), and computes its capacity and burst.
import { isQuota, type Budget } from "./budget.ts";
import { isLogBased, TRAITS, type Algorithm } from "./algorithms.ts";
import type { GatewayOptions } from "./config.ts";
import { capacityOf, exceedsThreshold, MILLIONTHS, millionths, type Limit } from "./limit.ts";
import { smoothingRule } from "./smoothing.ts";
import type { Level } from "./store.ts";
import type { AlgorithmTraits } from "./traits.ts";

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

/** How many requests per window each of `gateways` gateways may admit: at least 1, or 0 if `rate` is 0 (ALG-C4). */
export const shareOf = (rate: number, gateways: number): number =>
  rate === 0 ? 0 : Math.max(1, Math.floor(millionths(rate) / (gateways * MILLIONTHS)));

export function levelOf(options: GatewayOptions, budget: Budget, gateways: number): Level {
  const { limit } = budget;
  // A quota is always counted in the store, whichever algorithm counts the rates (LIM-C9).
  const algorithm = isQuota(budget.scope)
    ? "fixed_window"
    : chooseAlgorithm(options, limit, gateways);
  const traits = TRAITS[algorithm];
  const { fixedWindowStart, sentinelMark } = options;
  const imitation = isQuota(budget.scope) ? null : options.imitation;
  const whole = capacityOf(limit);
  return {
    budget,
    algorithm,
    traits,
    capacity: traits.place === "gateway" ? shareOf(limit.rate, gateways) : whole,
    shownLimit: whole,
    burst: burstOf(traits, options, whole),
    rule: isLogBased(algorithm) && imitation === null ? smoothingRule(limit) : null,
    startsAtClock:
      traits.options.includes("fixedWindowStart") &&
      !isQuota(budget.scope) &&
      fixedWindowStart === "clock",
    fixedMark: sentinelMark === "fixed",
    place: traits.place,
    imitation,
  };
}

/** How many requests are admitted at one instant; a leaky bucket delays all but the first. May exceed the rate. */
function burstOf(
  { options, delays }: AlgorithmTraits,
  { burst, queue }: GatewayOptions,
  whole: number,
): number {
  if (whole < 1) return whole;
  if (delays) return 1 + (queue === "rate" ? whole : queue);
  return options.includes("burst") && burst !== "rate" ? burst : whole;
}

/** The same level, counted by another algorithm. */
export const withAlgorithm = (level: Level, algorithm: Algorithm): Level => ({
  ...level,
  algorithm,
  traits: TRAITS[algorithm],
  imitation: null,
});
