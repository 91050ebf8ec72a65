// Bounds that several algorithms share (LIM-C11).
import type { LimitFacts, TimeSpan, WindowBound } from "./algorithm-spec.ts";

/** LIM-C2: a fractional rate admits its whole part. */
export const wholeRateOf = ({ rate }: LimitFacts): number => Math.floor(rate);

/** The end of one window and the start of the next, but for the request that starts the first. */
export const twoWindows = (budget: number): WindowBound => ({
  most: Math.max(0, 2 * budget - 1),
  because: `2 x ${budget} - 1`,
  origin: "stated",
});

export const rateAlone = (limit: LimitFacts): WindowBound => ({
  most: wholeRateOf(limit),
  because: "the rate",
  origin: "stated",
});

/** A burst, and the part that is paid back in less than a window: with decimals that may be one more. */
export const paidBack = (limit: LimitFacts, burst: number): WindowBound => {
  const { rate } = limit;
  return {
    most: burst + (wholeRateOf(limit) < 1 ? 0 : Math.ceil(rate) - 1),
    because: `${burst} at once, and ${rate} - 1 paid back`,
    origin: Number.isInteger(rate) ? "stated" : "derived",
  };
};

/** Windows that begin with a request, or logs: one budget at once, and one more after each whole window. */
export const budgetsDuring = (
  budget: number,
  { perUs }: LimitFacts,
  { fromUs, toUs }: TimeSpan,
): number => budget * (1 + Math.floor((toUs - fromUs) / perUs));

/** Windows of the clock: one budget for each that the span touches. */
export const clockWindowsDuring = (
  budget: number,
  { perUs }: LimitFacts,
  { fromUs, toUs }: TimeSpan,
): number => budget * (1 + Math.floor(toUs / perUs) - Math.floor(fromUs / perUs));

/** Below the steps in which a rate is given, and above what the division of two numbers loses. */
const ROUNDING = 1e-6;

/** A burst, and what is paid back meanwhile. */
export const paidDuring = (
  burst: number,
  { rate, perUs }: LimitFacts,
  { fromUs, toUs }: TimeSpan,
): number => (burst < 1 ? 0 : Math.floor(burst + (rate * (toUs - fromUs)) / perUs + ROUNDING));
