import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { paidBack, paidDuring, wholeRateOf } from "../../spec/bounds.ts";

export const spec: AlgorithmSpec = {
  about: "Refills at `rate` per `per`, and holds `rate` at most. Refused requests cost nothing.",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "debt",
  reachWindows: Number.POSITIVE_INFINITY,
  options: [],
  budget: wholeRateOf,
  mostInWindow: (limit) => paidBack(limit, wholeRateOf(limit)),
  mostDuring: (limit, during) => paidDuring(wholeRateOf(limit), limit, during),
};
