import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { paidBack, wholeRateOf } from "../../spec/bounds.ts";

export const spec: AlgorithmSpec = {
  about:
    "Two windows by the clock: admitted requests of the last one count as far as it still overlaps the sliding window.",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "lookback",
  reachWindows: 2,
  options: [],
  budget: wholeRateOf,
  mostInWindow: (limit) => ({
    ...paidBack(limit, wholeRateOf(limit)),
    origin: "measured",
  }),
};
