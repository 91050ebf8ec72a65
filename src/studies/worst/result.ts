// The document of weir worst.
import type { Answer } from "../../lab/report/answer.ts";
import type { WorstCaseBound } from "./bound.ts";
import type { WorstCaseQuestion } from "./question.ts";
import type { AdmittedBurst } from "./run-pattern.ts";
import type { BoundComparison, WorstCase } from "./worst.ts";

interface WorstCaseDocument {
  readonly format: "weir-worst/1";
  readonly answer: Answer;
  readonly seed: number;
  readonly question: Omit<WorstCaseQuestion, "inFlight"> & { readonly inFlight: number | null };
  readonly most: number;
  readonly bound: WorstCaseBound;
  readonly standing: BoundComparison;
  readonly patterns: number;
  readonly bursts: readonly {
    readonly atUs: number;
    readonly count: number;
    readonly as: string;
  }[];
  /** The admitted requests of the fullest window. */
  readonly window: readonly AdmittedBurst[];
  readonly scenario: string;
}

export type UnansweredWorstCase = Omit<WorstCaseDocument, "answer">;

export const buildWorst = (
  question: WorstCaseQuestion,
  seed: number,
  { result, clients, window, bound, comparison, text }: WorstCase,
): UnansweredWorstCase => ({
  format: "weir-worst/1",
  seed,
  question: {
    ...question,
    inFlight: Number.isFinite(question.inFlight) ? question.inFlight : null,
  },
  most: result.most,
  bound,
  standing: comparison,
  patterns: result.patterns,
  bursts: result.pattern.map(({ atUs, count, client }) => ({ atUs, count, as: clients[client]! })),
  window,
  scenario: text,
});
