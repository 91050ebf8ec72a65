import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { budgetsDuring, rateAlone, wholeRateOf } from "../../spec/bounds.ts";

export const spec: AlgorithmSpec = {
  about:
    "The default. Keeps the time of every attempt of the last `per`, refused ones too: a client that stays above its limit stays refused.",
  countsAttempts: true,
  isBounded: false,
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
