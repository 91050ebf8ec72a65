// One draw is run exactly where a seed changes nothing.
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { countDraws, usualDraws } from "#src/studies/try/draws.ts";
import type { TryQuestion } from "#src/studies/try/question.ts";
import { behaviourCalled, TRY_RETRIES, type TryRetry } from "#src/studies/try/retries.ts";
import { tryRunner } from "#src/studies/try/run-try.ts";

const LIMIT = { rate: 2, perUs: micros(1_000_000) };
const BURSTS = { count: 5, everyUs: micros(3_000_000), jitterUs: micros(0), isTogether: true };
const LATE = { ...BURSTS, jitterUs: micros(9_000) };

const questionWith = (retry: TryRetry, more: Partial<TryQuestion>): TryQuestion => ({
  clients: 3,
  population: "even",
  rate: 2,
  bursts: null,
  forUs: micros(20_000_000),
  retries: [{ name: retry, behaviour: behaviourCalled(retry, LIMIT) }],
  isSequential: false,
  perAddress: null,
  gateways: 3,
  limits: [LIMIT],
  limiters: ["drl", "gcra"].map((name) => ({ kind: "algorithm", name, burst: null })),
  ...more,
});

const TRAFFIC: Readonly<Record<string, Partial<TryQuestion>>> = {
  even: {},
  random: { population: "random" },
  "bursts at a time among others": { bursts: BURSTS },
  "bursts alone": { bursts: BURSTS, rate: null },
  "bursts of each client at times of its own": {
    bursts: { ...BURSTS, isTogether: false },
    rate: null,
  },
  "late bursts alone": { bursts: LATE, rate: null },
};

test.each(
  TRY_RETRIES.flatMap((retry) => Object.keys(TRAFFIC).map((traffic) => [retry, traffic] as const)),
)("clients that retry by %s, %s", (retry, traffic) => {
  const question = questionWith(retry, TRAFFIC[traffic]!);
  const run = tryRunner(question);
  const drawOf = (seed: number) =>
    [0, 1].map((place) => run({ place, seed, wantsHistory: true }).history!.requests.sentUs);
  const isFixed = countDraws(question, question.retries[0]!, 5) === 1;
  expect(isDeepStrictEqual(drawOf(1), drawOf(2))).toBe(isFixed);
});

test("much traffic is drawn less often, but never once", () => {
  expect([0, 12_000, 20_000, 1_000_000].map((requests) => usualDraws(requests, 10))).toEqual([
    5, 5, 3, 2,
  ]);
});
