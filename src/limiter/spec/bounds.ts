// Bounds that several algorithms share (LIM-C11).
import type { LimitFacts, TimeSpan, WindowBound } from "./algorithm-spec.ts";

/** LIM-C2: of a fractional rate, only the whole part is admitted. */
export const wholeRateOf = ({ rate }: LimitFacts): number => Math.floor(rate);

/** The budgets of two adjoining windows, less 1: the first request is a whole `per` before the second window. */
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

/** A burst, plus the units that are paid back in less than a window: the rate, rounded up, less 1. */
export const paidBack = (limit: LimitFacts, burst: number): WindowBound => {
  const { rate } = limit;
  return {
    most: burst + (wholeRateOf(limit) < 1 ? 0 : Math.ceil(rate) - 1),
    because: `${burst} at once, and ${rate} - 1 paid back`,
    origin: Number.isInteger(rate) ? "stated" : "derived",
  };
};

/** For logs and windows that begin with a request: one budget immediately, and another one after each `per`. */
export const budgetsDuring = (
  budget: number,
  { perUs }: LimitFacts,
  { fromUs, toUs }: TimeSpan,
): number => budget * (1 + Math.floor((toUs - fromUs) / perUs));

/** For windows of the clock: one budget for each window that the span touches. */
export const clockWindowsDuring = (
  budget: number,
  { perUs }: LimitFacts,
  { fromUs, toUs }: TimeSpan,
): number => budget * (1 + Math.floor(toUs / perUs) - Math.floor(fromUs / perUs));

/** Added before rounding down: smaller than the step of any rate, and larger than the rounding error of a division. */
const ROUNDING = 1e-6;

/** A burst, plus the units that are paid back during the span. */
export const paidDuring = (
  burst: number,
  { rate, perUs }: LimitFacts,
  { fromUs, toUs }: TimeSpan,
): number => (burst < 1 ? 0 : Math.floor(burst + (rate * (toUs - fromUs)) / perUs + ROUNDING));
