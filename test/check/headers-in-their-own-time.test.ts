// A smoothed limit, and how much of a limit remains, depend on when requests came: a late one may have other headers, if
// they are right at its own time.
import { expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import { micros } from "../../src/core/units.ts";
import { api, EVERYTHING, key } from "../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const STAMPED = {
  kind: "bounded",
  jitterUs: micros(30_000),
  maxUs: micros(100_000),
  isStamped: true,
} as const;

const RISES = { threshold: 1, step: 1, trigger: 0.1, delayUs: micros(750_000) };

/** The second response, planned at 750 ms: the allowance of 1 rises to 2 with the first request from there on. */
const atRise = (at: number, got: number, wanted: number, smoothing: typeof RISES | null): string =>
  verdictOn(
    {
      kind: "response",
      filter: EVERYTHING,
      nth: 1,
      status: 200,
      headers: { "X-RateLimit-Limit": wanted },
      body: null,
    },
    {
      timing: STAMPED,
      rows: [
        {
          at: 0,
          planned: 0,
          limit: smoothing === null ? 2 : 1,
          remaining: smoothing === null ? 1 : 0,
          reset: 1,
        },
        { at, planned: 0.75, limit: got, remaining: got - 1, reset: 1 },
      ],
      events:
        got === 2 && smoothing !== null ? [{ event: "RateLimitSmoothingUp", at, value: 2 }] : [],
    },
    {
      keys: [key("alice", { limit: limitOf(2, 0.25, smoothing) })],
      options: { algorithm: "non_transactional", rateLimitHeaders: "legacy" },
    },
  ).outcome;

test.each([
  ["1 before the rise, where 2 was planned", 0.74, 1, 2, RISES, "inconclusive"],
  ["2 after the rise, where 1 was planned", 0.75, 2, 1, RISES, "inconclusive"],
  ["2 before the rise", 0.74, 2, 1, RISES, "fail"],
  ["1 after the rise", 0.75, 1, 2, RISES, "fail"],
  ["1, where more than the rate was planned", 0.74, 1, 3, RISES, "fail"],
  ["2, where less than the threshold was planned", 0.75, 2, 0, RISES, "fail"],
  ["2 of a limit that is not smoothed, where 1 was planned", 0.75, 2, 1, null, "fail"],
] as const)("a limit of %s", (_, at, got, wanted, smoothing, outcome) => {
  expect(atRise(at, got, wanted, smoothing)).toBe(outcome);
});

/** The second of two requests under a limit of 3, less than a window apart, where a whole one was planned. */
const remaining = (got: number, wanted: number, driver: string): string =>
  verdictOn(
    {
      kind: "response",
      filter: EVERYTHING,
      nth: 1,
      status: 200,
      headers: { "X-RateLimit-Remaining": wanted },
      body: null,
    },
    {
      driver,
      timing: STAMPED,
      rows: [
        { at: 0.02, planned: 0, limit: 3, remaining: 2, reset: 2 },
        { at: 1.01, planned: 1, limit: 3, remaining: got, reset: 3 },
      ],
    },
    {
      keys: [key("alice", { limit: limitOf(3, 1) })],
      options: { rateLimitHeaders: "legacy" },
    },
  ).outcome;

test.each([
  ["2 as planned", 1, 2, "redis", "inconclusive"],
  ["a number that is wrong at its time", 2, 1, "redis", "fail"],
  ["a gateway of others, whose headers are its own", 1, 2, "remote", "fail"],
] as const)("what remains, of %s", (_, got, wanted, driver, outcome) => {
  expect(remaining(got, wanted, driver)).toBe(outcome);
});

test("a refusal that has its reset, and no Retry-After, stays wrong", () => {
  const { outcome } = verdictOn(
    {
      kind: "response",
      filter: EVERYTHING,
      nth: 1,
      status: 429,
      headers: { "Retry-After": 1 },
      body: null,
    },
    {
      timing: STAMPED,
      rows: [
        { at: 0.02, planned: 0, limit: 1, remaining: 0, reset: 2 },
        { at: 1.01, planned: 0.8, status: 429, by: "key", limit: 1, remaining: 0, reset: 2 },
      ],
    },
    {
      keys: [key("alice", { limit: limitOf(1, 1) })],
      options: { algorithm: "fixed_window", limitOrder: "key_first", rateLimitHeaders: "legacy" },
    },
  );
  expect(outcome).toBe("fail");
});

/** A key has a limit of 2, and its API one of 3: the third request is refused by the key alone. */
const ofLevels = (got: number, wanted: number): string =>
  verdictOn(
    {
      kind: "response",
      filter: EVERYTHING,
      nth: "last",
      status: 429,
      headers: { "X-RateLimit-Limit": wanted },
      body: null,
    },
    {
      timing: STAMPED,
      rows: [
        { at: 0.02, planned: 0, limit: 2, remaining: 1, reset: 2 },
        { at: 0.03, planned: 0, limit: 2, remaining: 0, reset: 2 },
        {
          at: 0.04,
          planned: 0,
          status: 429,
          by: got === 3 ? "api" : "key",
          limit: got,
          remaining: 0,
          reset: 2,
          retryAfter: 1,
        },
      ],
    },
    {
      apis: [api("orders", { globalRateLimit: limitOf(3, 1) })],
      keys: [key("alice", { limit: limitOf(2, 1) })],
      options: { algorithm: "fixed_window", rateLimitHeaders: "legacy" },
    },
  ).outcome;

test.each([
  ["2 of the key, where 3 of the API was planned", 2, 3, "inconclusive"],
  ["2 of the key, where 4 of neither was planned", 2, 4, "fail"],
  ["3 of the API, which has room", 3, 2, "fail"],
] as const)("one of two limits: %s", (_, got, wanted, outcome) => {
  expect(ofLevels(got, wanted)).toBe(outcome);
});

/** The second of three requests of a bucket of 10, which were decided in another order than that of their stamps. */
const overtaken = (got: number, wanted: number, stamp: number, driver = "redis"): string =>
  verdictOn(
    {
      kind: "response",
      filter: EVERYTHING,
      nth: 1,
      status: 200,
      headers: { "X-RateLimit-Remaining": wanted },
      body: null,
    },
    {
      driver,
      timing: STAMPED,
      rows: [
        { at: 0.02, planned: 0, limit: 10, remaining: 9, reset: 2 },
        { at: 0.03, planned: 0, stamp, limit: 10, remaining: got, reset: 3 },
      ],
    },
    {
      keys: [key("alice", { limit: limitOf(10, 10) })],
      options: { algorithm: "token_bucket", burst: 10, rateLimitHeaders: "legacy" },
    },
  ).outcome;

test.each([
  ["7, where 8 was planned", 7, 8, 0.01, "inconclusive"],
  ["more than the bucket has", 11, 8, 0.01, "fail"],
  ["7, where more than the bucket has was planned", 7, 11, 0.01, "fail"],
  ["7 though nothing overtook it", 7, 8, 0.03, "fail"],
] as const)(
  "what remains of a bucket after a later stamp: %s",
  (_, got, wanted, stamp, outcome) => {
    expect(overtaken(got, wanted, stamp)).toBe(outcome);
  },
);

test("a gateway of others has headers of its own after a later stamp too", () => {
  expect(overtaken(7, 8, 0.01, "remote")).toBe("fail");
});

const SMOOTHED = { threshold: 2, step: 2, trigger: 0.5, delayUs: micros(3_000_000) };

/** The third request under an allowance of 2, which is raised to 4 at 3 s, and admits in 10 s as it is. */
const untilTheStep = (
  got: number | null,
  wanted: number | null,
  smoothing: typeof SMOOTHED | null,
): string =>
  verdictOn(
    {
      kind: "response",
      filter: EVERYTHING,
      nth: 2,
      status: 429,
      headers: { "Retry-After": wanted },
      body: null,
    },
    {
      timing: STAMPED,
      rows: [
        { at: 0.01, planned: 0 },
        { at: 0.02, planned: 0 },
        {
          at: 0.03,
          planned: 0,
          status: 429,
          by: "key",
          ...(got === null ? {} : { retryAfter: got }),
        },
      ],
    },
    { keys: [key("alice", { limit: limitOf(smoothing === null ? 2 : 8, 10, smoothing) })] },
  ).outcome;

test.each([
  ["3 as it is right, where 10 was planned", 3, 10, SMOOTHED, "inconclusive"],
  ["10, where 3 is right and was planned", 10, 3, SMOOTHED, "fail"],
  ["3, where 12 was planned, longer than any wait", 3, 12, SMOOTHED, "fail"],
  ["none, where 3 is right and was planned", null, 3, SMOOTHED, "fail"],
  ["3, where none was planned", 3, null, SMOOTHED, "fail"],
  ["10 of a limit that is not smoothed, where 3 was planned", 10, 3, null, "fail"],
] as const)("a Retry-After of %s", (_, got, wanted, smoothing, outcome) => {
  expect(untilTheStep(got, wanted, smoothing)).toBe(outcome);
});

/** The second of two requests under a limit of 1, admitted at its own time or refused. */
const atTheEdge = (
  at: number,
  got: number | null,
  wanted: number | null,
  statuses: readonly number[] | null = null,
): string =>
  verdictOn(
    {
      kind: "response",
      filter: { ...EVERYTHING, status: statuses },
      nth: "last",
      status: null,
      headers: { "Retry-After": wanted },
      body: null,
    },
    {
      timing: STAMPED,
      rows: [
        { at: 0.02, planned: 0 },
        {
          at,
          planned: 1,
          ...(at < 1.02 && { status: 429, by: "key" as const }),
          ...(got !== null && { retryAfter: got }),
        },
      ],
    },
    { keys: [key("alice", { limit: limitOf(1, 1) })] },
  ).outcome;

test.each([
  ["admitted, where a refusal was planned", 1.03, null, 1, null, "inconclusive"],
  ["admitted, where a refusal with a wrong wait was planned", 1.03, null, 3, null, "fail"],
  ["refused, where an admission was planned", 1.01, 1, null, null, "inconclusive"],
  ["refused with a wrong wait", 1.01, 3, null, null, "fail"],
  ["admitted with a Retry-After", 1.03, 9, 1, null, "fail"],
  ["refused without a Retry-After", 1.01, null, 1, null, "fail"],
  ["refused, of refusals that have no Retry-After", 1.01, 1, null, [429], "fail"],
] as const)("a request at the edge: %s", (_, at, got, wanted, statuses, outcome) => {
  expect(atTheEdge(at, got, wanted, statuses)).toBe(outcome);
});

test("of all responses each that is wrong has to be explained", () => {
  const waits = (last: number): string =>
    verdictOn(
      {
        kind: "response",
        filter: EVERYTHING,
        nth: "all",
        status: 429,
        headers: { "Retry-After": 3 },
        body: null,
      },
      {
        timing: STAMPED,
        rows: [
          { at: 0.02, planned: 0, status: 429, by: "key", retryAfter: 4 },
          { at: 0.03, planned: 0, status: 429, by: "key", retryAfter: last },
        ],
      },
      { keys: [key("alice", { limit: limitOf(0, 1) })], options: { limitOrder: "key_first" } },
    ).outcome;
  expect([waits(4), waits(9)]).toEqual(["inconclusive", "fail"]);
});
