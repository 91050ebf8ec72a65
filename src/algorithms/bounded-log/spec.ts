import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { budgetsDuring, rateAlone, wholeRateOf } from "../../spec/bounds.ts";

export const spec: AlgorithmSpec = {
  about: "A sliding log that keeps no more than the newest `rate` attempts, refused ones too.",
  countsAttempts: true,
  isBounded: true,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "lookback",
  reachWindows: 1,
  options: [],
  budget: wholeRateOf,
  mostInWindow: rateAlone,
  mostDuring: (limit, during) => budgetsDuring(wholeRateOf(limit), limit, during),
};
