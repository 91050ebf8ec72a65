// The clients that raise a rate, compared with every other choice of a client to leave out.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";
import { findOutliers, type Outliers } from "#src/studies/recommend/advice.ts";
import {
  findSmallestRate,
  isTargetMet,
  tryRates,
  type RefusalTarget,
} from "#src/studies/recommend/search.ts";
import { holdsUntil, inRuns } from "../../runs.ts";
import { curveOf, decideOneByOne, limitOf } from "./one-by-one.ts";
import { ALGORITHM_RULES, START_US, type SentRequest } from "./traffic.ts";

// A higher rate of this algorithm refuses no request that a lower one admits, so that each rate has one answer.
const RULE = ALGORITHM_RULES.find(({ by }) => by.name === "sliding_log")!;
const WINDOW = micros(4_000_000);
const MOST = 1_000;

const clientsOf = (requests: readonly SentRequest[]): readonly number[] => [
  ...new Set(requests.map(({ client }) => client)),
];

/** The smallest rate that meets the target, each decided one by one. */
function smallestRate(requests: readonly SentRequest[], target: RefusalTarget): number {
  const totals = { requests: requests.length, clients: clientsOf(requests).length };
  let [missed, met] = [0, requests.length];
  while (met - missed > 1) {
    const rate = Math.floor((missed + met) / 2);
    const refused = decideOneByOne(limitOf(RULE, { rate, perUs: WINDOW }), requests);
    if (isTargetMet(refused, target, totals)) met = rate;
    else missed = rate;
  }
  return met;
}

function searchOutliers(
  sent: readonly SentRequest[],
  target: RefusalTarget,
  labelled: ReadonlySet<number> = new Set(),
): { readonly rate: number; readonly outliers: Outliers | null } {
  const labels = sent.map((each) => ({ ...each, isBad: labelled.has(each.client) }));
  const curve = curveOf(RULE, WINDOW, labels, MOST);
  tryRates(curve);
  const requests = sent.filter(({ client }) => !labelled.has(client));
  const clients = clientsOf(requests);
  const totals = { requests: requests.length, clients: clients.length };
  const rate = findSmallestRate(curve, (each) => isTargetMet(each, target, totals))!;
  const requestsOf = new Int32Array(Math.max(12, ...clientsOf(sent).map((client) => client + 1)));
  for (const { client } of requests) requestsOf[client]!++;
  return {
    rate,
    outliers: findOutliers(
      curve,
      rate,
      { target, totals, requestsOf, clients: clientsOf(sent).length },
      rng(1, ""),
      5,
    ),
  };
}

const sendOf = (client: number, atMs: readonly number[]): readonly SentRequest[] =>
  atMs.map((ms) => ({ client, atUs: START_US + ms * 1000 }));

const steps = (count: number, stepMs: number, fromMs = 0): readonly number[] =>
  Array.from({ length: count }, (_, i) => fromMs + i * stepMs);

const sortRequests = (requests: readonly SentRequest[]): readonly SentRequest[] =>
  requests.toSorted((a, b) => a.atUs - b.atUs);

test("of twelve clients, the one is left out without which the rate is lowest", async () => {
  const found = { some: 0, none: 0, notHighest: 0 };
  const few = fc.array(fc.record({ ms: fc.nat(30_000), client: fc.nat(11) }), { maxLength: 80 });
  const heavy = fc.array(
    fc.record({
      client: fc.nat(11),
      fromMs: fc.nat(20_000),
      stepMs: fc.constantFrom(1, 100, 400),
      count: fc.integer({ min: 5, max: 60 }),
    }),
    { maxLength: 3 },
  );
  const targets = fc.constantFrom(
    { requests: 0, clients: 0 },
    { requests: 0.02, clients: 0.2 },
    { requests: 0.1, clients: 0.3 },
  );
  await holdsUntil(
    3,
    () => Math.min(...Object.values(found)),
    fc.asyncProperty(few, heavy, targets, async (fewer, many, target) => {
      const requests = sortRequests([
        ...steps(12, 1).flatMap((client) => sendOf(client, [1500 * client])),
        ...fewer.flatMap(({ ms, client }) => sendOf(client, [ms])),
        ...many.flatMap(({ client, fromMs, stepMs, count }) =>
          sendOf(client, steps(count, stepMs, fromMs)),
        ),
      ]);
      const { rate, outliers } = searchOutliers(requests, target);
      expect(rate).toBe(smallestRate(requests, target));
      const rateWithout = (client: number): number =>
        smallestRate(
          requests.filter((each) => each.client !== client),
          target,
        );
      const rates = steps(12, 1).map(rateWithout);
      const lowest = Math.min(...rates);
      expect([outliers === null, lowest, rate]).toEqual([lowest > rate / 2, lowest, rate]);
      if (outliers === null) {
        found.none++;
        return;
      }
      expect([outliers.rate, outliers.clients.length]).toEqual([lowest, 1]);
      const left = new Set(outliers.clients.map((each) => each.client));
      expect(searchOutliers(requests, target, left)).toEqual({ rate: lowest, outliers: null });
      const [{ client, peak } = { client: -1, peak: 0 }] = outliers.clients;
      expect(rates[client]).toBe(lowest);
      const ofOthers = requests.filter((each) => each.client !== client);
      expect(outliers.othersPeak).toBe(smallestRate(ofOthers, { requests: 0, clients: 0 }));
      expect(outliers.needMore).toBe(peak! > outliers.othersPeak! && outliers.othersPeak! < rate);
      found.some++;
      if (peak! <= outliers.othersPeak!) found.notHighest++;
    }),
    40,
  );
  for (const count of Object.values(found)) expect(count).toBeGreaterThanOrEqual(inRuns(3));
});

/** 200 clients, of which two may be outliers. */
const many = steps(200, 1).flatMap((client) =>
  sendOf(client, [100 * client, 5_000 + 100 * client]),
);

test("a client that sends steadily is found behind clients with a high peak, which the target allows", () => {
  const bursty = steps(8, 1).flatMap((client) => sendOf(client, steps(40, 1, 3_000 * client)));
  const steady = sendOf(199, steps(2_000, 120));
  const target = { requests: 0.3, clients: 0.05 };
  const { rate, outliers } = searchOutliers(sortRequests([...many, ...bursty, ...steady]), target);
  expect(outliers!.clients).toMatchObject([{ client: 199 }]);
  expect(outliers).toMatchObject({ needMore: false });
  expect(outliers!.clients[0]!.peak).toBeLessThan(outliers!.othersPeak!);
  expect(outliers!.rate).toBeLessThan(rate / 2);
});

const exact = { requests: 0, clients: 0 };

const withHeavy = (counts: readonly number[]): readonly SentRequest[] =>
  sortRequests([...many, ...counts.flatMap((count, client) => sendOf(client, steps(count, 1)))]);

test("a continuum has no outliers, and a client far above it is the only one", () => {
  const continuum = [100, 60, 40, 25, 16];
  expect(searchOutliers(withHeavy(continuum), exact).outliers).toBeNull();
  const withScraper = withHeavy([240, ...continuum]);
  const { outliers } = searchOutliers(withScraper, exact);
  expect(outliers!.clients.map(({ client }) => client)).toEqual([0]);
  const labelled = searchOutliers(withScraper, exact, new Set([0]));
  expect(labelled).toEqual({ rate: outliers!.rate, outliers: null });
});

test("of two gaps the last one separates, and labels of the clients above it change no limit", () => {
  const requests = withHeavy([400, 120]);
  const { outliers } = searchOutliers(requests, exact);
  expect(outliers!.clients.map(({ client }) => client)).toEqual([0, 1]);
  for (const labelled of [[0], [1], [0, 1]]) {
    const after = searchOutliers(requests, exact, new Set(labelled));
    expect(after.outliers?.rate ?? after.rate).toBe(outliers!.rate);
  }
});

test("the clients above two gaps may be labelled bad, and the next gap is then no reason to go on", () => {
  const requests = withHeavy([400, 120, 45]);
  const { outliers } = searchOutliers(requests, exact);
  expect(outliers!.clients.map(({ client }) => client)).toEqual([0, 1]);
  expect(searchOutliers(requests, exact, new Set([0, 1]))).toEqual({
    rate: outliers!.rate,
    outliers: null,
  });
  expect(searchOutliers(requests, exact, new Set([0])).outliers!.rate).toBe(outliers!.rate);
});
