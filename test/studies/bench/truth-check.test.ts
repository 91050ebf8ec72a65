import { expect, test } from "vitest";
import { checkTruth, countEarlyRefusals, boundOver } from "#src/studies/bench/truth-check.ts";
import type { TruthRequest } from "#src/studies/bench/truth.ts";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import { micros, SECOND } from "#src/kit/units.ts";

const limit = { rate: 50, perUs: SECOND };
const seconds = (count: number) => micros(count * SECOND);
const LENGTHS = [SECOND, seconds(5), seconds(10), seconds(20), seconds(60)];

const STATED = {
  fixed_window: 99,
  drl: 99,
  token_bucket: 99,
  gcra: 99,
  sliding_window_counter: null,
  sliding_log: 50,
  bounded_log: 50,
  sentinel: 52,
  non_transactional: 52,
  leaky_bucket: 50,
} satisfies Record<Algorithm, number | null>;

type IsAdmitted = (at: number) => boolean;

/** A hundred requests a second for 60 s, admitted by `isAdmitted`. */
const requestsOf = (isAdmitted: IsAdmitted, lasts = 60): readonly TruthRequest[] =>
  Array.from({ length: lasts * 100 }, (_, at) => ({
    atUs: at * 10_000,
    tookUs: 2_000,
    status: isAdmitted(at) ? 200 : 429,
    delayUs: 0,
  }));

const faultsOf = (algorithm: Algorithm, isAdmitted: IsAdmitted): readonly string[] => {
  const window = { most: STATED[algorithm], because: "" };
  return checkTruth({ algorithm }, limit, requestsOf(isAdmitted), LENGTHS, window).faults;
};

const windows: IsAdmitted = (at) => at % 100 < 50;
const burst: IsAdmitted = (at) => at < 99 || at % 2 === 0;
const once: IsAdmitted = (at) => at < 50;

test.each([
  ["fixed_window", windows],
  ["drl", windows],
  ["token_bucket", burst],
  ["gcra", burst],
  ["sliding_window_counter", windows],
  ["sliding_log", once],
  ["bounded_log", once],
  ["sentinel", once],
  ["non_transactional", once],
] as const)("%s that keeps its promise has no violation", (algorithm, isAdmitted) => {
  expect(faultsOf(algorithm, isAdmitted)).toEqual([]);
});

const COUNTERS = ["fixed_window", "token_bucket", "drl", "gcra"] as const;

test.each(COUNTERS)("%s that keeps to its bound in each window can still be wrong", (algorithm) => {
  expect(faultsOf(algorithm, (at) => at % 100 < 99)).toEqual([
    "495 in 5s, where at most 299 are allowed",
  ]);
  expect(faultsOf(algorithm, (at) => at % 100 < 98 && at < 3_000)).toEqual([
    "490 in 5s, where at most 299 are allowed",
    expect.stringMatching(/^29\d\d refused while the limit had capacity left$/),
  ]);
});

test.each([
  ["half as much again", (at: number) => at % 100 < 75, "375 in 5s, where at most 299 are allowed"],
  [
    "a little more in the long run",
    (at: number) => at % 100 < 51,
    "3060 in 60s, where at most 3049 are allowed",
  ],
  ["nothing", () => false, "6000 refused while the limit had capacity left"],
  ["a tenth", (at: number) => at % 100 < 5, "5700 refused while the limit had capacity left"],
  ["nearly all", (at: number) => at % 100 < 49, "3060 refused while the limit had capacity left"],
])("a fixed window that admits %s has a violation", (_what, isAdmitted, fault) => {
  expect(faultsOf("fixed_window", isAdmitted)[0]).toContain(fault);
});

test("a log that counts refused requests may always refuse, but not before it is full", () => {
  expect(tooSoon("sliding_log", once)).toBe(0);
  expect(tooSoon("sliding_log", (at) => at < 40)).toBe(10);
  expect(tooSoon("fixed_window", once)).toBeGreaterThan(5_000);
});

test.each([
  ["fixed_window", SECOND, 99],
  ["fixed_window", seconds(5), 299],
  ["gcra", seconds(60), 3_049],
  ["sliding_log", seconds(5), 250],
  ["sentinel", seconds(5), 260],
  ["sliding_window_counter", SECOND, 100],
  ["sliding_window_counter", seconds(5), 300],
  ["drl", micros(1_500_000), 149],
  ["leaky_bucket", SECOND, 50],
  ["leaky_bucket", seconds(5), 250],
] as const)("of %s in %d us at most %d are stated", (algorithm, us, most) => {
  const window = { most: STATED[algorithm], because: "" };
  expect(boundOver({ algorithm }, limit, us, window)).toBe(most);
});

test("a request is decided at some time between its arrival and its end", () => {
  const one = { rate: 1, perUs: SECOND };
  const at = (ms: number, tookMs: number, status: number): TruthRequest => ({
    atUs: ms * 1_000,
    tookUs: tookMs * 1_000,
    status,
    delayUs: 0,
  });
  const soon = (...requests: readonly TruthRequest[]): number =>
    countEarlyRefusals({ algorithm: "fixed_window" }, one, requests);
  expect(soon(at(0, 5, 200), at(1_000, 5, 429))).toBe(0);
  expect(soon(at(0, 5, 200), at(1_006, 5, 429))).toBe(1);
  expect(soon(at(0, 5, 429), at(4, 5, 200))).toBe(0);
  expect(soon(at(0, 5, 429), at(5, 5, 200))).toBe(1);
  expect(soon(at(0, 5, 500))).toBe(0);
});

interface Queue {
  readonly stepUs: number; // between two turns
  readonly places: number;
  readonly isDelaying: boolean; // false: it forwards each request at once
}

/** About a hundred requests a second for 60 s through a queue, as a log has them: in whole milliseconds. */
function queueRequests(different: Partial<Queue> = {}): readonly TruthRequest[] {
  const { stepUs, places, isDelaying } = {
    stepUs: 20_000,
    places: 51,
    isDelaying: true,
    ...different,
  };
  let freeUs = 0;
  return Array.from({ length: 6_000 }, (_, at): TruthRequest => {
    const arrivalUs = at * 9_990 + ((at * 7_919) % 5_000);
    const delayUs = Math.max(0, freeUs - arrivalUs);
    const atUs = Math.floor(arrivalUs / 1_000) * 1_000;
    if (delayUs > (places - 1) * stepUs) return { atUs, tookUs: 2_000, status: 429, delayUs: 0 };
    freeUs = arrivalUs + delayUs + stepUs;
    return { atUs, tookUs: 2_000 + (isDelaying ? delayUs : 0), status: 200, delayUs };
  });
}

test.each<[string, Partial<Queue>, readonly RegExp[]]>([
  ["keeps its promise", {}, []],
  ["is twice as fast", { stepUs: 10_000 }, [/^\d+ in 1s, where at most 50 are allowed$/]],
  [
    "is a little too fast",
    { stepUs: 19_998 },
    [/^(?:51 in 1s|251 in 5s|501 in 10s), where at most \d+ are allowed$/],
  ],
  [
    "is half as fast",
    { stepUs: 40_000 },
    [/^\d{4} refused while the limit had capacity left$/, /^1\d{3} waited while a turn was free$/],
  ],
  ["is short", { places: 40 }, [/^\d{4} refused while the limit had capacity left$/]],
  ["lacks one place", { places: 50 }, [/^\d{4} refused while the limit had capacity left$/]],
  ["is not waited for", { isDelaying: false }, [/^\d{4} had a response before their turn$/]],
])("a queue that %s has no other violations", (_what, different, faults) => {
  const window = { most: STATED.leaky_bucket, because: "" };
  const algorithm = "leaky_bucket";
  const found = checkTruth({ algorithm }, limit, queueRequests(different), LENGTHS, window).faults;
  expect(found).toEqual(faults.map((fault) => expect.stringMatching(fault) as unknown));
});

const tooSoon = (algorithm: Algorithm, isAdmitted: IsAdmitted): number =>
  countEarlyRefusals({ algorithm }, limit, requestsOf(isAdmitted));
