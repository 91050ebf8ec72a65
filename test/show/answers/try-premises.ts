// Small questions of weir try and changes of their results, for tests of single sentences.
import { micros } from "#src/kit/units.ts";
import { answerTry } from "#src/show/answers/try.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";
import type { TryQuestion } from "#src/studies/try/question.ts";
import { behaviourCalled, type TryRetry } from "#src/studies/try/retries.ts";
import { runTry } from "./try-results.ts";

const LIMIT = { rate: 60, perUs: micros(60_000_000) };

export const questionOf = (
  retries: readonly TryRetry[],
  algorithms: readonly string[],
): TryQuestion => ({
  clients: 3,
  population: "even",
  rate: 1.5,
  bursts: null,
  retries: retries.map((name) => ({ name, behaviour: behaviourCalled(name, LIMIT) })),
  isSequential: false,
  perAddress: null,
  forUs: micros(300_000_000),
  gateways: 1,
  limits: [LIMIT],
  limiters: algorithms.map((name) => ({ kind: "algorithm", name, burst: null })),
});

export const result = (
  retries: readonly TryRetry[],
  ...algorithms: readonly string[]
): UnansweredTry => runTry(questionOf(retries, algorithms));

export const textOf = (facts: UnansweredTry, id: string): string | undefined =>
  answerTry(facts).find((sentence) => sentence.id === id)?.text;

export const withRow = (
  facts: UnansweredTry,
  place: number,
  change: Partial<TryRow> | ((row: TryRow) => Partial<TryRow>),
): UnansweredTry => ({
  ...facts,
  candidates: facts.candidates.map((row, at) =>
    at === place ? { ...row, ...(typeof change === "function" ? change(row) : change) } : row,
  ),
});

export const ALL = [
  "fixed_window",
  "sliding_log",
  "token_bucket",
  "sliding_window_counter",
] as const;
