import type { AlgorithmSpec } from "../../spec/algorithm-spec.ts";
import { budgetsDuring, clockWindowsDuring, twoWindows, wholeRateOf } from "../../spec/bounds.ts";

export const spec: AlgorithmSpec = {
  about:
    "Counts admitted requests in windows of `per`. A window begins with its first request, or with the clock (`fixed_window_start`).",
  countsAttempts: false,
  isBounded: false,
  delays: false,
  countedBy: "store",
  overshootsBy: null,
  counts: "window",
  reachWindows: 1,
  options: ["fixedWindowStart"],
  budget: wholeRateOf,
  mostInWindow: (limit) => {
    const budget = wholeRateOf(limit);
    return limit.fixedWindowStart === "clock"
      ? { most: 2 * budget, because: `2 x ${budget}`, origin: "stated" }
      : twoWindows(budget);
  },
  mostDuring: (limit, during) =>
    (limit.fixedWindowStart === "clock" ? clockWindowsDuring : budgetsDuring)(
      wholeRateOf(limit),
      limit,
      during,
    ),
};
