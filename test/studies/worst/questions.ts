// Questions with defaults, and their worst cases.
import { micros, type Micros } from "#src/kit/units.ts";
import type { WorstCaseQuestion } from "#src/studies/worst/question.ts";
import { findWorstCase, type WorstCase } from "#src/studies/worst/worst.ts";
import { createRunner } from "#src/studies/worst/run-pattern.ts";
import { computePiece, type ComputePieces, type SearchEffort } from "#src/studies/worst/search.ts";
import { type Failure, requireValue } from "#src/kit/reading/failure.ts";

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

/** Without threads. */
export async function findHere(
  own: WorstCaseQuestion,
  units: number,
  seed = 1,
  progress: SearchEffort["progress"] = () => {},
): Promise<WorstCase | Failure | "stopped"> {
  const compute: ComputePieces = async (pieces, onDone) => {
    const runner = requireValue(createRunner(own));
    return pieces.map((piece) => {
      const result = computePiece(own, runner, { seed, units }, piece);
      onDone(result);
      return result;
    });
  };
  return findWorstCase(own, { seed, units, progress, compute });
}

export async function findWorst(
  parts: Partial<WorstCaseQuestion>,
  units = 500,
  seed = 1,
): Promise<WorstCase> {
  const found = requireValue(await findHere(question(parts), units, seed));
  if (found === "stopped") throw new Error("the search was stopped");
  return found;
}

export const milliseconds = (...ms: readonly number[]): readonly Micros[] =>
  ms.map((each) => micros(each * 1000));
