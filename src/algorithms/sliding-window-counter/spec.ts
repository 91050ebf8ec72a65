import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { paidBack, paidDuring, wholeRateOf } from "../../spec/bounds.ts";

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
  // Of n before an edge and m at x of a window after it, n (1 - x) + m is at most the rate: as if it was paid back.
  mostDuring: (limit, during) => paidDuring(limit.rate < 1 ? 0 : limit.rate, limit, during),
};
