// The clients at the edge of a limit against a sort of all clients by their peaks, which are found rate by rate.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { micros, SECOND } from "#src/kit/units.ts";
import { findEdge } from "#src/studies/recommend/edge.ts";
import { MOST_RATE } from "#src/studies/recommend/advise.ts";
import type { RefusalCurve } from "#src/studies/recommend/refusals.ts";
import { tryRates } from "#src/studies/recommend/search.ts";
import { holdsUntil } from "../../runs.ts";
import { curveOf, decideOneByOne, limitOf } from "./one-by-one.ts";
import { ALGORITHM_RULES, PROFILE_RULES, START_US, type SentRequest } from "./traffic.ts";

const RULES = [...ALGORITHM_RULES, ...PROFILE_RULES];
const ruleBy = (name: string) => RULES.find(({ by }) => by.name === name)!;

/** Of each client the requests that it sends at once. */
const bursts = (sizes: readonly number[]): readonly SentRequest[] =>
  sizes.flatMap((size, client) => Array.from({ length: size }, () => ({ atUs: START_US, client })));

test("of more refused clients than there are places, those with the lowest peaks are named", () => {
  const sizes = [9, 3, 7, 12, 10, 2, 6, 5, 11, 8, 4, 1];
  const curve = curveOf(ruleBy("fixed_window"), micros(13 * SECOND), bursts(sizes), MOST_RATE);
  tryRates(curve);
  // 8 and 11 are the next rates that were tried, so that five clients are compared.
  expect(findEdge(curve, 6, 3)).toEqual([
    { client: 0, peak: 9, refused: 3 },
    { client: 9, peak: 8, refused: 2 },
    { client: 2, peak: 7, refused: 1 },
    { client: 6, peak: 6, refused: 0 },
    { client: 7, peak: 5, refused: 0 },
    { client: 10, peak: 4, refused: 0 },
  ]);
  expect(findEdge(curve, 11, 3).map(({ peak }) => peak)).toEqual([12, 11, 10, 9]);
  expect(findEdge(curve, 1, 2).map(({ peak }) => peak)).toEqual([3, 2]);
});

test("of clients that every rate refuses, the least refused are named", () => {
  // One at a time, however high the rate: the budget of gcra is spaced over a window of 10,000 s.
  const curve = curveOf(ruleBy("gcra"), micros(10_000 * SECOND), bursts([7, 3, 9, 2, 5]), 40);
  tryRates(curve);
  expect(findEdge(curve, 4, 2)).toEqual([
    { client: 1, peak: null, refused: 2 },
    { client: 3, peak: null, refused: 1 },
  ]);
});

test("the nearest of many hundred clients are named, wherever they are in the log", () => {
  const many = (size: number, nearest: readonly number[]) => {
    const sizes = [...Array.from({ length: 600 }, () => size), ...nearest];
    const curve = curveOf(ruleBy("fixed_window"), micros(13 * SECOND), bursts(sizes), MOST_RATE);
    tryRates(curve);
    return curve;
  };
  const namesOfEdge = (curve: RefusalCurve, rate: number, count: number) =>
    findEdge(curve, rate, count).map(({ client, peak }) => `${client}: ${peak}`);
  // 16 and 23 are tried, and no rate between them.
  const refused = many(23, [17, 19, 18]);
  expect(namesOfEdge(refused, 16, 2)).toEqual(["602: 18", "600: 17"]);
  const ties = ["598: 23", "599: 23", "601: 19", "602: 18", "600: 17"];
  expect(namesOfEdge(refused, 16, 5)).toEqual(ties);
  const admitted = many(17, [22, 20, 21]);
  expect(namesOfEdge(admitted, 23, 2)).toEqual(["600: 22", "602: 21"]);
  expect(namesOfEdge(admitted, 23, 5)).toEqual(["600: 22", "602: 21", "601: 20", "0: 17", "1: 17"]);
});

const sent = fc
  .array(fc.tuple(fc.nat(26), fc.nat(8), fc.integer({ min: 1, max: 4 })), {
    minLength: 1,
    maxLength: 40,
    size: "max",
  })
  .map((drawn) =>
    drawn
      .toSorted(([a], [b]) => a - b)
      .flatMap(([step, client, times]) =>
        Array.from({ length: times }, () => ({ atUs: START_US + step * 500_000, client })),
      ),
  );

const MOST = 12;

/** Null: no rate until the highest admits all. */
function findPeaks(
  refusedAt: readonly ReadonlyMap<number, unknown>[], // by rate, from 1
  clients: readonly number[],
): ReadonlyMap<number, number | null> {
  return new Map(
    clients.map((client) => {
      const last = refusedAt.findLastIndex((refused) => refused.has(client));
      return [client, last === MOST - 1 ? null : last + 2] as const;
    }),
  );
}

test("the clients of an edge are those next to it in a sort of all, for any number of places", async () => {
  const examined = { tooMany: 0, tooFew: 0, endless: 0 };
  await holdsUntil(
    20,
    () => Math.min(examined.tooMany, examined.tooFew, examined.endless),
    fc.property(
      sent,
      fc.oneof(fc.constantFrom(...RULES), fc.constantFrom(ruleBy("gcra"), ruleBy("guava"))),
      fc.constantFrom(SECOND, 7 * SECOND, 13 * SECOND).map(micros),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 4 }),
      (requests, rule, perUs, rate, count) => {
        const clients = [...new Set(requests.map(({ client }) => client))];
        const refusedAt = Array.from(
          { length: MOST },
          (_, i) => decideOneByOne(limitOf(rule, { rate: i + 1, perUs }), requests).refusedOf,
        );
        const peaks = findPeaks(refusedAt, clients);
        const sorted = clients
          .map((client) => {
            const { good } = refusedAt[rate - 1]!.get(client) ?? { good: 0 };
            return { client, peak: peaks.get(client) ?? null, refused: good };
          })
          .toSorted(
            (a, b) =>
              (b.peak ?? Infinity) - (a.peak ?? Infinity) ||
              b.refused - a.refused ||
              a.client - b.client,
          );
        const refused = sorted.filter((each) => each.refused > 0);
        const next = sorted.filter((each) => each.refused === 0 && each.peak !== 1);
        const curve = curveOf(rule, perUs, requests, MOST);
        tryRates(curve);
        curve.at(rate);
        expect(findEdge(curve, rate, count)).toEqual([
          ...refused.slice(Math.max(0, refused.length - count)),
          ...next.slice(0, count),
        ]);
        examined.tooMany += Number(refused.length > count);
        examined.tooFew += Number(refused.length > 0 && refused.length < count);
        examined.endless += Number(refused.some(({ peak }) => peak === null));
      },
    ),
    60,
  );
});

test("a client of which a rate refuses nothing is refused nothing by any higher rate", async () => {
  let peaks = 0;
  await holdsUntil(
    100,
    () => peaks,
    fc.property(
      sent,
      fc.constantFrom(...RULES),
      fc.constantFrom(SECOND, 13 * SECOND).map(micros),
      (requests, rule, perUs) => {
        const known = new Map<number, number>(); // the first rate that refuses a client nothing
        for (let rate = 1; rate <= MOST; rate++) {
          const { refusedOf } = decideOneByOne(limitOf(rule, { rate, perUs }), requests);
          for (const { client } of requests)
            if (!refusedOf.has(client) && !known.has(client)) known.set(client, rate);
          for (const [client, peak] of known)
            expect([client, peak, rate, refusedOf.has(client)]).toEqual([
              client,
              peak,
              rate,
              false,
            ]);
        }
        peaks += [...known.values()].filter((peak) => peak > 1).length;
      },
    ),
    30,
  );
});
