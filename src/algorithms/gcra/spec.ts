import type { AlgorithmSpec, LimitFacts } from "../../spec/algorithm-spec.ts";
import { paidBack, paidDuring, wholeRateOf } from "../../spec/bounds.ts";

/** A limit that admits nothing has no burst either (LIM-C2). */
const burstOf = (limit: LimitFacts): number =>
  limit.burst === "rate" || wholeRateOf(limit) < 1 ? wholeRateOf(limit) : limit.burst;

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
