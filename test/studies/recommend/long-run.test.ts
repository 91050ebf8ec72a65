// Rates that no client outgrows: a bucket that is full at first admits more of a short log than of a long one.
import { expect, test } from "vitest";
import { micros, SECOND } from "#src/kit/units.ts";
import { recommend } from "#src/studies/recommend/recommend.ts";
import { decideOneByOne, limitOf } from "./one-by-one.ts";
import { ALGORITHM_RULES, namesOf, questionOf, START_US, trafficOf } from "./traffic.ts";

const MINUTE = micros(60 * SECOND);

/** 462 requests in ten minutes, as evenly as they can be; of some other clients one each. */
const evenly = (minutes: number) =>
  Array.from({ length: 46.2 * minutes }, (_, i) => ({
    atUs: START_US + Math.floor((i * SECOND * 60) / 46.2),
    client: 0,
  }));

const rateOf = async (algorithm: string, requests: ReturnType<typeof evenly>) => {
  const rules = ALGORITHM_RULES.filter(({ by }) => by.name === algorithm);
  const question = questionOf(rules, {
    windows: [MINUTE],
    target: { requests: 0, clients: 0 },
  });
  const { searches, advice } = await recommend(
    trafficOf(requests),
    namesOf(2).names,
    false,
    question,
  );
  return { rate: searches[0]!.found!.limit.limit.rate, longRun: advice[0]!.longRun };
};

test("of ten minutes a token bucket has the rate of an hour", async () => {
  const name = "token_bucket";
  const { rate, longRun } = await rateOf(name, evenly(10));
  expect(rate).toBe(47);
  expect(longRun).toEqual({ client: 0, mean: expect.closeTo(46.2, 0) });
  const rule = ALGORITHM_RULES.find(({ by }) => by.name === name)!;
  const countAt = (at: number) =>
    decideOneByOne(limitOf(rule, { rate: at, perUs: MINUTE }), evenly(60)).goodRequests;
  expect(countAt(rate)).toBe(0);
  expect(countAt(43)).toBeGreaterThan(50);
});

test("bursts at each end of a log are not counted twice", async () => {
  const bursts = Array.from({ length: 11 }, (_, minute) =>
    Array.from({ length: 5 }, () => ({ atUs: START_US + minute * MINUTE, client: 0 })),
  ).flat();
  expect(await rateOf("sliding_log", bursts)).toEqual({ rate: 5, longRun: null });
});

test("a client that may lose requests does not raise the rate by its mean", async () => {
  const rules = ALGORITHM_RULES.filter(({ by }) => by.name === "token_bucket");
  const others = Array.from({ length: 200 }, (_, i) => ({
    atUs: START_US + 3 * i * SECOND,
    client: 1,
  }));
  const requests = [...evenly(10), ...others].toSorted((a, b) => a.atUs - b.atUs);
  const question = questionOf(rules, {
    windows: [MINUTE],
    target: { requests: 0.05, clients: 0.5 },
  });
  const { searches } = await recommend(trafficOf(requests), namesOf(2).names, false, question);
  const { limit, refusals } = searches[0]!.found!;
  expect(limit.limit.rate).toBeLessThan(46);
  expect([...refusals.ids]).toEqual([0]);
});
