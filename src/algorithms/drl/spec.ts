import type { AlgorithmSpec, LimitFacts } from "../../spec/algorithm-spec.ts";
import { budgetsDuring, twoWindows, wholeRateOf } from "../../spec/bounds.ts";

/** ALG-C4: at least one for each gateway, unless the limit admits nothing. */
const shareOf = (limit: LimitFacts): number =>
  wholeRateOf(limit) < 1 ? 0 : Math.max(1, Math.floor(limit.rate / limit.gateways));

export const spec: AlgorithmSpec = {
  about:
    "Each gateway counts its share of `rate` for itself, in windows that begin with a request; the store counts nothing.",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "gateway",
  overshootsBy: null,
  counts: "window",
  reachWindows: 1,
  options: [],
  budget: shareOf,
  mostInWindow: (limit) => twoWindows(shareOf(limit)),
  mostDuring: (limit, during) => budgetsDuring(shareOf(limit), limit, during),
};
