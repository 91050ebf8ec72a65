// Questions in few words, and what comes of them.
import { micros, type Micros } from "../../../src/core/units.ts";
import type { Question } from "../../../src/experiments/worst/question.ts";
import { worst, type Worst } from "../../../src/experiments/worst/worst.ts";

export const question = (parts: Partial<Question>): Question => ({
  id: "regressions/worst",
  algorithm: "sliding_log",
  rate: 5,
  perUs: micros(1_000_000),
  burst: 1,
  fixedWindowStart: "first_request",
  level: "key",
  nodes: 1,
  balancer: "round-robin",
  weights: [],
  skewUs: [],
  storeUs: micros(0),
  inFlight: Number.POSITIVE_INFINITY,
  ...parts,
});

export function asked(parts: Partial<Question>, units = 500, seed = 1): Worst {
  const answer = worst(question(parts), { seed, units, progress: () => {} });
  if (typeof answer === "string") throw new Error(answer);
  return answer;
}

export const milliseconds = (...ms: readonly number[]): readonly Micros[] =>
  ms.map((each) => micros(each * 1000));
