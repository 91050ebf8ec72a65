import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { budgetsDuring, rateAlone, wholeRateOf } from "../../spec/bounds.ts";

export const spec: AlgorithmSpec = {
  about:
    "The sliding log, sent as a pipeline: what other requests do in between may let too many through.",
  countsAttempts: true,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: "commands",
  counts: "lookback",
  reachWindows: 1,
  options: [],
  budget: wholeRateOf,
  mostInWindow: rateAlone,
  mostDuring: (limit, during) => budgetsDuring(wholeRateOf(limit), limit, during),
};
