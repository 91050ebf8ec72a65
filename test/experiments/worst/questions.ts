// Questions with defaults, and their worst cases.
import { micros, type Micros } from "../../../src/core/units.ts";
import type { WorstCaseQuestion } from "../../../src/experiments/worst/question.ts";
import { findWorstCase, type WorstCase } from "../../../src/experiments/worst/worst.ts";
import { requireValue } from "../../../src/reading/failure.ts";

export const question = (parts: Partial<WorstCaseQuestion>): WorstCaseQuestion => ({
  id: "regressions/worst",
  algorithm: "sliding_log",
  rate: 5,
  perUs: micros(1_000_000),
  burst: 1,
  queue: "rate",
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

export function findWorst(parts: Partial<WorstCaseQuestion>, units = 500, seed = 1): WorstCase {
  return requireValue(findWorstCase(question(parts), { seed, units, progress: () => {} }));
}

export const milliseconds = (...ms: readonly number[]): readonly Micros[] =>
  ms.map((each) => micros(each * 1000));
