import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { budgetsDuring, rateAlone, wholeRateOf } from "../../spec/bounds.ts";

export const spec: AlgorithmSpec = {
  about:
    "A sliding log that is written after the answer. A mark in the store refuses, and requests that arrive before it is set pass.",
  countsAttempts: true,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: "mark",
  counts: "lookback",
  reachWindows: 2, // its mark lasts for as long again
  options: [],
  budget: wholeRateOf,
  mostInWindow: rateAlone,
  mostDuring: (limit, during) => budgetsDuring(wholeRateOf(limit), limit, during),
};
