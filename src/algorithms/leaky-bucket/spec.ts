import type { AlgorithmSpec, LimitFacts } from "../../spec/algorithm-spec.ts";
import { paidDuring, wholeRateOf } from "../../spec/bounds.ts";

/** One leaves at once, and the others wait for their turns. */
const placesOf = (limit: LimitFacts): number => {
  const whole = wholeRateOf(limit);
  return whole < 1 ? 0 : 1 + (limit.queue === "rate" ? whole : limit.queue);
};

export const spec: AlgorithmSpec = {
  about:
    "Lets one request leave every `per` / `rate`. A request that comes sooner waits for its turn, at most `queue` of them (the rate unless it is set), and the next one is refused.",
  countsAttempts: false,
  isBounded: false,
  delays: true,
  countedBy: "store",
  overshootsBy: null,
  counts: "debt",
  reachWindows: Number.POSITIVE_INFINITY,
  options: ["queue"],
  budget: placesOf,
  // A rate with decimals leaves at its own pace, so that a window can hold one more than its whole part.
  mostInWindow: (limit) => ({
    most: wholeRateOf(limit) < 1 ? 0 : Math.ceil(limit.rate),
    because: Number.isInteger(limit.rate) ? "the rate" : "the rate, rounded up",
    origin: Number.isInteger(limit.rate) ? "stated" : "derived",
  }),
  mostDuring: (limit, during) => paidDuring(placesOf(limit), limit, during),
};
