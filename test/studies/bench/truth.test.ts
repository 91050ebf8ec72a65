import { expect, test } from "vitest";
import {
  inBuckets,
  mostInFlight,
  mostWithin,
  requestsInLog,
  truthSubjects,
  type TruthRequest,
} from "#src/studies/bench/truth.ts";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import { micros, SECOND } from "#src/kit/units.ts";

const limit = { rate: 50, perUs: SECOND };
const LASTS = micros(20 * SECOND);
const BUCKETS = [SECOND, micros(5 * SECOND), micros(20 * SECOND)];

/** A hundred requests a second for 20 s, admitted by `isAdmitted`. */
const requestsOf = (isAdmitted: (at: number) => boolean): readonly TruthRequest[] =>
  Array.from({ length: 2_000 }, (_, at) => ({
    atUs: at * 10_000,
    tookUs: 1_000,
    status: isAdmitted(at) ? 200 : 429,
    delayUs: 0,
  }));

const worst = (requests: readonly TruthRequest[]) =>
  inBuckets(requests, limit, LASTS, BUCKETS).map(({ overshoot, undershoot }) => [
    overshoot.worst,
    undershoot.worst,
  ]);

test.each([
  { name: "one in two is admitted", isAdmitted: (at: number) => at % 2 === 0, over: 0, under: 0 },
  { name: "the rate is doubled", isAdmitted: () => true, over: 1, under: 0 },
  { name: "nothing is admitted", isAdmitted: () => false, over: 0, under: 1 },
  { name: "one in four", isAdmitted: (at: number) => at % 4 === 0, over: 0, under: 0.5 },
])("with $name every bucket has $over over and $under under", ({ isAdmitted, over, under }) => {
  expect(worst(requestsOf(isAdmitted))).toEqual([
    [over, under],
    [over, under],
    [over, under],
  ]);
});

test("too many requests in one second and too few in the next are right in the long run", () => {
  const inTurn = requestsOf((at) => Math.floor(at / 100) % 2 === 0);
  const [second, , all] = inBuckets(inTurn, limit, LASTS, BUCKETS);
  expect(second).toEqual({
    us: SECOND,
    count: 20,
    overshoot: { worst: 1, mean: 0.5 },
    undershoot: { worst: 1, mean: 0.5 },
  });
  expect(all).toMatchObject({ overshoot: { worst: 0 }, undershoot: { worst: 0 } });
});

test("requests that were not sent are not missing", () => {
  const some = requestsOf((at) => at % 2 === 0).filter((_, at) => at % 100 < 40);
  expect(inBuckets(some, limit, LASTS, [SECOND])[0]!.undershoot.worst).toBeCloseTo(0.4);
  const all = some.map((request) => ({ ...request, status: 200 }));
  expect(inBuckets(all, limit, LASTS, [SECOND])[0]!.undershoot.worst).toBe(0);
});

test("buckets longer than the run, and requests outside it, do not count", () => {
  const early: TruthRequest = { atUs: -1, tookUs: 0, status: 200, delayUs: 0 };
  const late: TruthRequest = { atUs: 1.5 * SECOND, tookUs: 0, status: 200, delayUs: 0 };
  const found = inBuckets([early, late], limit, micros(1.6 * SECOND), [SECOND, LASTS]);
  expect(found).toEqual([
    { us: SECOND, count: 1, overshoot: { worst: 0, mean: 0 }, undershoot: { worst: 0, mean: 0 } },
  ]);
});

const at = (...ms: readonly number[]): readonly TruthRequest[] =>
  ms.map((each) => ({ atUs: each * 1_000, tookUs: 1_000, status: 200, delayUs: 0 }));

test.each([
  [at(), 0],
  [at(0, 999), 2],
  [at(0, 1_000), 1],
  [at(900, 0, 1_800, 950, 1_899), 4],
  [at(0, 1).map((one) => ({ ...one, status: 429 })), 0],
])("the most within less than a window: case %#", (requests, most) => {
  expect(mostWithin(requests, SECOND)).toBe(most);
});

test("a request of a queue is admitted when it leaves, and requested when it arrives", () => {
  const one: TruthRequest = { atUs: 0, tookUs: SECOND, status: 200, delayUs: SECOND };
  const two = { ...one, atUs: 500_000 };
  const [bucket] = inBuckets([one, two], { rate: 1, perUs: SECOND }, micros(2 * SECOND), [SECOND]);
  expect(bucket).toMatchObject({ overshoot: { worst: 1 }, undershoot: { worst: 1 } });
});

test("the turns of a queue are known to a millisecond", () => {
  const queue = (...ms: readonly number[]): readonly TruthRequest[] =>
    ms.map((each) => ({ atUs: 0, tookUs: 1_000, status: 200, delayUs: each * 1_000 }));
  expect(mostWithin(queue(0, 999), SECOND)).toBe(1);
  expect(mostWithin(queue(0, 998.9), SECOND)).toBe(2);
  expect(mostWithin(queue(100, 900, 1_098), SECOND)).toBe(3);
});

test("an algorithm that delays brings controls of its own", () => {
  const suite = {
    id: "truth",
    title: "",
    about: "",
    stores: ["memory", "redis"],
    rate: 50,
    perUs: SECOND,
    demand: 2,
    arrivals: "poisson",
    lastsUs: LASTS,
    bucketsUs: BUCKETS,
  } as const;
  const controls = (...algorithms: readonly Algorithm[]) =>
    truthSubjects({ ...suite, algorithms })
      .filter(({ role }) => role === "control")
      .map(({ algorithm, rate }) => `${algorithm} ${rate}`);
  const plain = ["fixed_window 100", "fixed_window 75", "fixed_window 5"];
  expect(controls("gcra", "drl")).toEqual(plain);
  expect(controls("gcra", "leaky_bucket")).toEqual([
    ...plain,
    "leaky_bucket 100",
    "leaky_bucket 5",
  ]);
});

test("requests are in flight until the background write of the sentinel has ended", () => {
  const one = (atMs: number, tookMs: number): TruthRequest => ({
    atUs: atMs * 1_000,
    tookUs: tookMs * 1_000,
    status: 200,
    delayUs: 0,
  });
  expect(mostInFlight("sentinel", [])).toBe(0);
  expect(mostInFlight("sentinel", [one(0, 5), one(9, 5), one(30, 1)])).toBe(2);
  expect(mostInFlight("sentinel", [one(0, 4), one(9, 5)])).toBe(1);
  expect(mostInFlight("non_transactional", [one(0, 5), one(9, 5)])).toBe(1);
  expect(mostInFlight("non_transactional", [one(0, 5), one(4, 5)])).toBe(2);
});

test("the requests of a key are read from a gateway's log with any other lines", () => {
  const line = (more: object): string =>
    JSON.stringify({
      level: "info",
      kind: "request",
      key: "client",
      time: "1970-01-01T00:00:02.500Z",
      ...more,
    });
  const text = [
    line({ status: 200, durationMs: 1.5 }),
    line({ status: 429, durationMs: 0, delayMs: null }),
    line({ status: 200, durationMs: 61.5, delayMs: 60.002 }),
    line({ kind: "event" }),
    line({ status: null }),
    line({ key: "warming", status: 200, durationMs: 1 }),
    line({ key: null, status: 401, durationMs: 1 }),
    '{"level":"info","kind":"requ',
  ].join("\n");
  expect(requestsInLog(text, "client", 2_000_000)).toEqual([
    { atUs: 500_000, tookUs: 2_500, status: 200, delayUs: 0 },
    { atUs: 500_000, tookUs: 1_000, status: 429, delayUs: 0 },
    { atUs: 500_000, tookUs: 62_500, status: 200, delayUs: 60_002 },
  ]);
});
