import type { AlgorithmSpec, LimitFacts } from "../../spec/algorithm-spec.ts";
import { paidBack, paidDuring, wholeRateOf } from "../../spec/bounds.ts";

/** More at once than the rate would break LIM-1 in a single window. */
const burstOf = (limit: LimitFacts): number =>
  limit.burst === "rate" ? wholeRateOf(limit) : Math.min(wholeRateOf(limit), limit.burst);

export const spec: AlgorithmSpec = {
  about:
    "Spaces requests: one every `per` / `rate`, and `burst` of them at once (1 unless it is set). Refused requests cost nothing.",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "debt",
  reachWindows: Number.POSITIVE_INFINITY,
  options: ["burst"],
  budget: burstOf,
  mostInWindow: (limit) => paidBack(limit, burstOf(limit)),
  mostDuring: (limit, during) => paidDuring(burstOf(limit), limit, during),
};
