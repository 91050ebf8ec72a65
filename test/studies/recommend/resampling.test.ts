// Intervals against populations of which the right rate is known, and knees against curves of which it is.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";
import { findKnee } from "#src/studies/recommend/knee.ts";
import { recommend } from "#src/studies/recommend/recommend.ts";
import { drawPoisson } from "#src/studies/recommend/resampling.ts";
import {
  ALGORITHM_RULES,
  namesOf,
  questionOf,
  START_US,
  trafficOf,
  type SentRequest,
} from "./traffic.ts";

const CLIENTS = 300;
const GROWTH = 0.8; // of a burst: that it has one request more
const TARGET = 0.05;

/**
 * Each client sends one burst of B requests, and P(B > n) is GROWTH^n. A rate R refuses E[(B - R)+] / E[B], which is
 * GROWTH^R of all requests.
 */
const TRUE_RATE = Math.ceil(Math.log(TARGET) / Math.log(GROWTH));

function burstsOf(seed: number): readonly SentRequest[] {
  const random = rng(seed, "test/population");
  return Array.from({ length: CLIENTS }, (_, client) => client).flatMap((client) => {
    const size = 1 + Math.floor(random.exponential() / -Math.log(GROWTH));
    const atUs = START_US + client * 1000;
    return Array.from({ length: size }, () => ({ atUs, client }));
  });
}

test("of a hundred samples of clients about 95 intervals have the rate that the whole population needs", async () => {
  const names = namesOf(CLIENTS).names;
  let covered = 0;
  let below = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const question = questionOf(
      ALGORITHM_RULES.filter(({ by }) => by.name === "fixed_window"),
      { target: { requests: TARGET, clients: 1 }, windows: [micros(60_000_000)], seed, top: 1 },
    );
    const [search] = (await recommend(trafficOf(burstsOf(seed)), names, false, question)).searches;
    const { low, high } = search!.found!.interval!;
    if (low <= TRUE_RATE && TRUE_RATE <= high) covered++;
    if (high < TRUE_RATE) below++;
  }
  expect(covered).toBeGreaterThanOrEqual(88);
  expect(below).toBeLessThan(10);
});

test("if all clients need the same rate, so does every draw", async () => {
  const requests = Array.from({ length: 600 }, (_, i) => ({
    atUs: START_US + i,
    client: 0,
  })).flatMap(({ atUs }) => Array.from({ length: 5 }, (_, client) => ({ atUs, client })));
  const question = questionOf(ALGORITHM_RULES, {
    target: { requests: 0, clients: 0 },
    windows: [micros(60_000_000)],
    seed: 1,
    top: 1,
  });
  const { searches } = await recommend(trafficOf(requests), namesOf(5).names, false, question);
  const found = searches.flatMap(({ found }) => (found === null ? [] : [found]));
  expect(found.length).toBeGreaterThan(5);
  for (const { limit, interval } of found)
    expect([limit.by.name, interval]).toEqual([
      limit.by.name,
      { low: limit.limit.rate, high: limit.limit.rate },
    ]);
});

test("a window in which no rate is enough leaves the choice to the next one", async () => {
  const requests = [0, 10, 20, 9000].map((ms) => ({ atUs: START_US + ms * 1000, client: 0 }));
  const question = questionOf(
    ALGORITHM_RULES.filter(({ by }) => by.name === "gcra"),
    {
      target: { requests: 0, clients: 0 },
      windows: [micros(8760 * 3_600_000_000), micros(1_000_000)],
      seed: 1,
      top: 1,
    },
  );
  const { searches, choice } = await recommend(
    trafficOf(requests),
    namesOf(1).names,
    false,
    question,
  );
  expect(searches.map(({ found }) => found === null)).toEqual([false, true]);
  expect(choice).toBe(searches[0]!.found);
});

test("Poisson draws have their mean and their variance", () => {
  const random = rng(1, "test/poisson");
  for (const mean of [1, 20, 500]) {
    const drawn = Array.from({ length: 4000 }, () => drawPoisson(mean, random));
    const average = drawn.reduce((a, b) => a + b) / drawn.length;
    const variance = drawn.reduce((sum, each) => sum + (each - average) ** 2, 0) / drawn.length;
    expect(Math.abs(average - mean)).toBeLessThan(0.1 * Math.sqrt(mean));
    expect(variance / mean).toBeGreaterThan(0.9);
    expect(variance / mean).toBeLessThan(1.1);
  }
});

const pointsOf = (refused: readonly number[]) =>
  refused.map((each, i) => ({
    rate: 2 ** i,
    refused: each,
    clients: 1,
    badRefused: 0,
    badClients: 0,
  }));

test("a knee is furthest below the line between the ends of the curve", () => {
  expect(findKnee(pointsOf([100, 20, 15, 10, 5, 0]))?.rate).toBe(2);
  expect(findKnee(pointsOf([100, 60, 40, 1, 0, 0]))?.rate).toBe(8);
  expect(findKnee(pointsOf([100, 80, 60, 40, 20, 0]))).toBeNull();
  expect(findKnee(pointsOf([100, 99, 95, 80, 50, 0]))).toBeNull();
  expect(findKnee(pointsOf([0]))).toBeNull();
});
