// Results of weir try on small random questions, for tests of its answer.
import * as fc from "fast-check";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { micros } from "#src/kit/units.ts";
import { countDraws } from "#src/studies/try/draws.ts";
import { POPULATION_NAMES } from "#src/studies/try/populations.ts";
import { candidatesOf, type TryQuestion } from "#src/studies/try/question.ts";
import {
  buildTryResult,
  rowOfTry,
  type TryRow,
  type UnansweredTry,
} from "#src/studies/try/result.ts";
import { behaviourCalled, type TryRetry } from "#src/studies/try/retries.ts";
import { tryRunner } from "#src/studies/try/run-try.ts";

const SIZES = [
  { rate: 1, perUs: micros(1_000_000) },
  { rate: 3, perUs: micros(1_000_000) },
  { rate: 8, perUs: micros(2_000_000) },
  { rate: 40, perUs: micros(1_000_000) },
];
const KINDS = [
  "none",
  "backoff",
  "retry-after",
  "full-jitter",
] as const satisfies readonly TryRetry[];

const questions: fc.Arbitrary<TryQuestion> = fc
  .record({
    clients: fc.integer({ min: 1, max: 4 }),
    population: fc.constantFrom(...POPULATION_NAMES),
    rate: fc.integer({ min: 1, max: 8 }),
    burst: fc.nat({ max: 6 }),
    retries: fc.subarray([...KINDS], { minLength: 1, maxLength: 3 }),
    isShared: fc.boolean(),
    isTogether: fc.boolean(),
    seconds: fc.integer({ min: 1, max: 6 }),
    gateways: fc.integer({ min: 1, max: 2 }),
    limits: fc.subarray(SIZES, { minLength: 1, maxLength: 2 }),
    algorithms: fc.subarray([...ALGORITHMS], { minLength: 1, maxLength: 5 }),
  })
  .map(({ clients, population, rate, retries, isShared, seconds, limits, ...others }) => ({
    clients,
    population,
    rate,
    bursts: burstsOf(others),
    retries: retries.map((name) => ({ name, behaviour: behaviourCalled(name, limits[0]!) })),
    isSequential: false,
    perAddress: isShared ? clients : null,
    forUs: micros(seconds * 1_000_000),
    gateways: others.gateways,
    limits,
    limiters: others.algorithms.map((name) => ({ kind: "algorithm", name, burst: null })),
  }));

function burstsOf({
  burst,
  isTogether,
}: {
  readonly burst: number;
  readonly isTogether: boolean;
}): TryQuestion["bursts"] {
  const often = { everyUs: micros(2_000_000), jitterUs: micros(0) };
  return burst === 0 ? null : { count: burst, ...often, isTogether };
}

export function runTry(
  question: TryQuestion,
  { draws = 1, left = Number.POSITIVE_INFINITY } = {},
): UnansweredTry {
  const run = tryRunner(question);
  const candidates = candidatesOf(question).slice(0, left);
  const rows = candidates.map((candidate, at): TryRow => {
    const seeds = Array.from(
      { length: countDraws(question, candidate.retry, draws) },
      (_, order) => 1 + order,
    );
    const [first, ...others] = seeds.map((seed) => ({
      seed,
      ...run({ place: at, seed, wantsHistory: false }),
      history: null,
    }));
    return rowOfTry(candidate, question, [first!, ...others]);
  });
  return buildTryResult(question, 1, rows, Number.isFinite(left));
}

/** Some of them are interrupted. */
export const tryResults: fc.Arbitrary<UnansweredTry> = fc
  .tuple(questions, fc.option(fc.nat({ max: 5 }), { freq: 6 }), fc.integer({ min: 1, max: 2 }))
  .map(([question, left, draws]) =>
    runTry(question, { draws, left: left ?? Number.POSITIVE_INFINITY }),
  );
