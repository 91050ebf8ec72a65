// A suite that measures parts of Weir and compares them with controls. A candidate is a program that prints one value.
// Each runs in a new process, so that no candidate affects the compiled code or the memory of the next candidate.
import type { JsonMap } from "../../../kit/reading/shape.ts";
import type { Better } from "../../../kit/stats/summary.ts";
import type { BenchTarget, Gate } from "../suite.ts";

export interface PartSuite {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Runs once, before all candidates, and fills a folder whose path each program gets in its input. */
  readonly prepare: PartProgram | null;
  readonly repeats: number;
  readonly cases: readonly PartCase[];
  readonly gates: readonly Gate[];
}

export interface PartProgram {
  readonly program: string; // the path, from the folder of the suite
  readonly input: JsonMap;
}

/** A case is one metric of the result. */
export interface PartCase {
  readonly name: string;
  readonly about: string;
  readonly unit: string;
  readonly better: Better;
  readonly control: string; // the candidate that the others are divided by
  readonly candidates: readonly PartCandidate[];
  readonly targets: readonly BenchTarget[];
}

export interface PartCandidate extends PartProgram {
  readonly name: string;
  readonly role: "cell" | "control";
}

export interface PartMeasurement {
  readonly metric: string;
  readonly cell: string;
  readonly round: number;
  readonly atSeconds: number; // since the run began
  readonly value: number;
}
