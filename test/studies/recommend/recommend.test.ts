// A recommendation against a replay of the same requests, which decides them in the order of their times.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros } from "#src/kit/units.ts";
import { outliersIn, type WindowAdvice } from "#src/studies/recommend/advice.ts";
import type { RefusalTarget } from "#src/studies/recommend/search.ts";
import { recommend } from "#src/studies/recommend/recommend.ts";
import type { RateSearch, RecommendedRule } from "#src/studies/recommend/recommendation.ts";
import type { Replay } from "#src/studies/replay/replay.ts";
import { holdsLater, holdsUntil, inRuns } from "../../runs.ts";
import { placementsFrom } from "#src/studies/replay/placements.ts";
import { decideOneByOne, countLongRun, limitOf } from "./one-by-one.ts";
import {
  ALGORITHM_RULES,
  arrivalsOf,
  namesOf,
  PROFILE_RULES,
  questionOf,
  randomRequests,
  replayOf,
  START_US,
  trafficOf,
  type SentRequest,
} from "./traffic.ts";

const NAMES = namesOf(12).names;
const TARGETS = fc.constantFrom(
  { requests: 0, clients: 1 },
  { requests: 0.02, clients: 1 },
  { requests: 0.1, clients: 0.25 },
  { requests: 0.3, clients: 0.1 },
);
const WINDOWS = fc.constantFrom(micros(1_000_000), micros(4_000_000), micros(60_000_000));

const placeBy = (placement: number, requests: readonly SentRequest[]): readonly SentRequest[] => {
  const times = new Float64Array(requests.length);
  placementsFrom(1)[placement]!.place(arrivalsOf(requests), times);
  return requests
    .map((each, i) => ({ ...each, atUs: times[i]! }))
    .toSorted((a, b) => a.atUs - b.atUs);
};

const spreadEvenly = (requests: readonly SentRequest[]): readonly SentRequest[] =>
  placeBy(0, requests);

/** Whether a rate of the advice meets the target with each placement, in the long run too. */
const isMetByAll = (
  rate: number,
  { search, perUs, outliers }: WindowAdvice,
  searches: readonly RateSearch[],
  requests: readonly SentRequest[],
  target: RefusalTarget,
): boolean => {
  const left = new Set(outliers?.clients.map(({ client }) => client));
  const limit = { rate, perUs };
  const isOther = ({ client }: SentRequest): boolean => !left.has(client);
  const even = spreadEvenly(requests).filter(isOther); // has the means of the long run
  return [0, 1, 2, 3, 4].every((placement) => {
    const rest = placeBy(placement, requests).filter(isOther);
    const own = decideOneByOne(limitOf(searches[search]!.rule, limit), rest);
    const { goodRequests, goodClients } = countLongRun(own, limit, even, {
      logged: requests,
      isWholeSeconds: true,
    });
    const clients = new Set(rest.map(({ client }) => client)).size;
    return (
      goodRequests <= target.requests * rest.length + 1e-9 &&
      goodClients <= target.clients * clients + 1e-9
    );
  });
};

const isMetBy = (
  replay: Replay,
  index: number,
  target: { readonly requests: number; readonly clients: number },
): boolean => {
  const [{ refusedRequests, refusedClients } = { refusedRequests: 0, refusedClients: 0 }] =
    replay.runs[index]!.tallies;
  const clients = replay.requestsOf.filter((count) => count > 0).length;
  return (
    refusedRequests <= target.requests * replay.requests + 1e-9 &&
    refusedClients <= target.clients * clients + 1e-9
  );
};

const listFound = (searches: readonly RateSearch[]): readonly NonNullable<RateSearch["found"]>[] =>
  searches.flatMap(({ found }) => found ?? []);

async function expectSmallest(
  requests: readonly SentRequest[],
  rules: readonly RecommendedRule[],
  target: { readonly requests: number; readonly clients: number },
  perUs: ReturnType<typeof micros>,
  isWholeSeconds: boolean,
): Promise<number> {
  const question = questionOf(rules, { target, windows: [perUs] });
  const { searches } = await recommend(trafficOf(requests), NAMES, isWholeSeconds, question);
  const found = listFound(searches);
  const limits = found.map(({ limit }) => limit);
  const own = replayOf(requests, limits, isWholeSeconds);
  for (const [index, { refusals, limit }] of found.entries()) {
    const [tally] = own.runs[index]!.tallies;
    expect([limit.by.name, refusals.goodRequests, refusals.goodClients]).toEqual([
      limit.by.name,
      tally!.refusedRequests,
      tally!.refusedClients,
    ]);
    expect(isMetBy(own, index, target)).toBe(true);
  }
  const above1 = limits.filter(({ limit }) => limit.rate > 1);
  const lower = above1.map((limit) => ({
    ...limit,
    limit: { ...limit.limit, rate: limit.limit.rate - 1 },
  }));
  const missed = replayOf(requests, lower, isWholeSeconds);
  const placed = isWholeSeconds ? spreadEvenly(requests) : requests;
  const isLongRun = { logged: requests, isWholeSeconds };
  for (const [index, { by, options, limit }] of lower.entries()) {
    const own = decideOneByOne(limitOf({ by, options }, limit), placed);
    const { goodRequests, goodClients } = countLongRun(own, limit, placed, isLongRun);
    const clients = new Set(requests.map(({ client }) => client)).size;
    const isMet =
      isMetBy(missed, index, target) &&
      goodRequests <= target.requests * requests.length + 1e-9 &&
      goodClients <= target.clients * clients + 1e-9;
    expect([by.name, limit.rate, isMet]).toEqual([by.name, limit.rate, false]);
  }
  return lower.length;
}

test("each algorithm refuses as a replay does, and a rate of one less misses the target", async () => {
  let examined = 0;
  await holdsUntil(
    150,
    () => examined,
    fc.asyncProperty(randomRequests(7), TARGETS, WINDOWS, async (requests, target, perUs) => {
      examined += await expectSmallest(requests, ALGORITHM_RULES, target, perUs, false);
    }),
    20,
  );
  expect(examined).toBeGreaterThan(inRuns(100));
});

test("so it is for whole seconds, spread evenly", async () => {
  let examined = 0;
  await holdsUntil(
    60,
    () => examined,
    fc.asyncProperty(randomRequests(1000), TARGETS, WINDOWS, async (requests, target, perUs) => {
      examined += await expectSmallest(requests, ALGORITHM_RULES, target, perUs, true);
    }),
    8,
  );
  expect(examined).toBeGreaterThan(inRuns(40));
});

test("so it is for each profile of which clients have budgets of their own", async () => {
  let examined = 0;
  await holdsUntil(
    120,
    () => examined,
    fc.asyncProperty(randomRequests(50), TARGETS, WINDOWS, async (requests, target, perUs) => {
      examined += await expectSmallest(requests, PROFILE_RULES, target, perUs, false);
    }),
    5,
  );
  expect(examined).toBeGreaterThan(inRuns(40));
});

test("the rates of the other placements are those of a replay of them", async () => {
  await holdsLater(
    fc.asyncProperty(randomRequests(1000), TARGETS, async (requests, target) => {
      const question = questionOf(ALGORITHM_RULES.slice(0, 5), { target });
      const { searches } = await recommend(trafficOf(requests), NAMES, true, question);
      for (const { limit, placements } of listFound(searches))
        for (const [index, { rate }] of placements.entries()) {
          if (rate === null) continue;
          const placed = { ...limit, limit: { ...limit.limit, rate } };
          const [run] = replayOf(requests, [placed], true).runs;
          const { refusedRequests } = run!.tallies[index]!;
          expect(refusedRequests).toBeLessThanOrEqual(target.requests * requests.length + 1e-9);
        }
    }),
    10,
  );
});

test("the rate for each timing within a second meets the target with each placement, and one less does not", async () => {
  const found = { higher: 0, without: 0 };
  await holdsUntil(
    3,
    () => Math.min(...Object.values(found)),
    fc.asyncProperty(randomRequests(1000), TARGETS, fc.nat(11), async (few, target, client) => {
      const burst = Array.from({ length: 40 }, (_, i) => ({
        client,
        atUs: START_US + Math.floor(i / 4) * 1_000_000,
      }));
      const requests = [...few, ...burst].toSorted((a, b) => a.atUs - b.atUs);
      const rules = ALGORITHM_RULES.filter(({ by }) => by.name === "token_bucket");
      const question = questionOf(rules, { target, windows: [micros(4_000_000)] });
      const { searches, advice } = await recommend(trafficOf(requests), NAMES, true, question);
      const finer = await recommend(trafficOf(requests), NAMES, false, question);
      expect(finer.advice.map(({ placedRate }) => placedRate)).toEqual(advice.map(() => null));
      for (const each of advice) {
        const { placedRate, rate, outliers } = each;
        const isMetAt = (at: number) => isMetByAll(at, each, searches, requests, target);
        expect([placedRate, placedRate! >= rate, isMetAt(placedRate!)]).toEqual([
          placedRate,
          true,
          true,
        ]);
        if (placedRate === rate) continue;
        expect([placedRate! - 1, isMetAt(placedRate! - 1)]).toEqual([placedRate! - 1, false]);
        found.higher++;
        if (outliers !== null) found.without++;
      }
    }),
    12,
  );
  for (const count of Object.values(found)) expect(count).toBeGreaterThanOrEqual(inRuns(3));
});

test("a peak is the smallest rate that refuses none of a client's requests", async () => {
  await holdsLater(
    fc.asyncProperty(randomRequests(7), async (requests) => {
      const question = questionOf(ALGORITHM_RULES, { top: 3 });
      const { searches } = await recommend(trafficOf(requests), NAMES, false, question);
      for (const { limit, edge } of listFound(searches))
        for (const { client, peak } of edge) {
          if (peak === null) continue;
          const own = requests.filter((each) => each.client === client);
          const limits = [peak, peak - 1].map((rate) => ({
            ...limit,
            limit: { ...limit.limit, rate },
          }));
          const refused = replayOf(own, limits, false).runs.map(
            ({ tallies }) => tallies[0]!.refusedRequests,
          );
          expect(refused[0]).toBe(0);
          expect(refused[1]).toBeGreaterThan(0); // a rate of 0 admits nothing
        }
    }),
    10,
  );
});

test("the second search, without the outliers of the first, has the limit of the first", async () => {
  let examined = 0;
  const heavy = fc.record({
    client: fc.nat(11),
    stepMs: fc.constantFrom(1, 100, 400),
    count: fc.integer({ min: 20, max: 60 }),
  });
  await holdsUntil(
    5,
    () => examined,
    fc.asyncProperty(randomRequests(7), TARGETS, heavy, async (few, target, sent) => {
      const many = Array.from({ length: sent.count }, (_, i) => ({
        atUs: START_US + i * sent.stepMs * 1000,
        client: sent.client,
      }));
      const requests = [...few, ...many].toSorted((a, b) => a.atUs - b.atUs);
      const question = questionOf(ALGORITHM_RULES, { target });
      const first = await recommend(trafficOf(requests), NAMES, false, question);
      const [advice] = first.advice;
      if (advice === undefined || advice.outliers === null) return;
      const clients = new Set(advice.outliers.clients.map(({ client }) => client));
      const { rule, perUs } = first.searches[advice.search]!;
      const second = await recommend(trafficOf(requests), NAMES, false, {
        ...question,
        leftOut: { clients, limits: [{ rule, perUs, rate: advice.rate }] },
      });
      expect(second.choice!.limit).toMatchObject({ ...rule, limit: { perUs, rate: advice.rate } });
      expect([second.totals, second.advice[0]!.search]).toEqual([
        advice.outliers.totals,
        advice.search,
      ]);
      expect(second.choice!.refusals).toMatchObject({
        goodRequests: advice.outliers.refused.goodRequests,
        goodClients: advice.outliers.refused.goodClients,
      });
      const replay = replayOf(requests, [second.choice!.limit], false);
      const refused = second.leftOut.reduce((sum, each) => sum + each.refused, 0);
      expect(replay.runs[0]!.tallies[0]!.refusedRequests).toBe(
        refused + second.choice!.refusals.goodRequests,
      );
      examined++;
    }),
    40,
  );
  expect(examined).toBeGreaterThanOrEqual(inRuns(5));
});

test("the needed burst meets the target as gcra, and one less does not", async () => {
  let examined = 0;
  await holdsUntil(
    6,
    () => examined,
    fc.asyncProperty(randomRequests(7), TARGETS, async (requests, target) => {
      const question = questionOf(ALGORITHM_RULES.slice(0, 1), { target });
      const { burst, advice } = await recommend(trafficOf(requests), NAMES, false, question);
      const outliers = outliersIn(advice);
      if (burst === null) return;
      const gcra = ALGORITHM_RULES.find(({ by }) => by.name === "gcra")!;
      const limits = [burst.burst, burst.burst - 1]
        .filter((size) => size > 0)
        .map((size) => ({
          kind: "limit" as const,
          limit: burst.limit,
          by: gcra.by,
          options: { ...gcra.options, burst: size },
        }));
      const others = requests.filter(({ client }) => !outliers.has(client));
      const replay = replayOf(others, limits, false);
      expect(isMetBy(replay, 0, target)).toBe(true);
      if (limits.length > 1) examined++;
      expect(limits.length > 1 && isMetBy(replay, 1, target)).toBe(false);
    }),
    30,
  );
});

test("clients with very many requests, and very many clients, are refused as a replay does", async () => {
  // More than are decided at once of both: 20,000 requests of one client, and 3,000 clients.
  const at = (i: number): number => START_US + i * 2500;
  const busy = Array.from({ length: 20_000 }, (_, i) => ({ atUs: at(i), client: 1500 }));
  const others = Array.from({ length: 9_000 }, (_, i) => ({ atUs: at(4 * i), client: i % 3000 }));
  const requests = [...busy, ...others].toSorted((a, b) => a.atUs - b.atUs);
  const target = { requests: 0.5, clients: 1 };
  const names = ["sliding_log", "token_bucket", "leaky_bucket"];
  const rules = ALGORITHM_RULES.filter(({ by }) => names.includes(by.name));
  const question = questionOf(rules, { target, windows: [micros(10_000_000)] });
  const { searches } = await recommend(trafficOf(requests), namesOf(3000).names, false, question);
  const found = listFound(searches);
  expect(found).toHaveLength(rules.length);
  const limits = found.map(({ limit }) => limit);
  const counts = replayOf(requests, limits, false).runs.map(({ tallies }) => {
    const { refusedRequests, refusedClients } = tallies[0]!;
    return [refusedRequests, refusedClients];
  });
  expect(
    found.map(({ refusals: { goodRequests, goodClients } }) => [goodRequests, goodClients]),
  ).toEqual(counts);
  expect(Math.min(...counts.map(([refused]) => refused!))).toBeGreaterThan(5000);
});
