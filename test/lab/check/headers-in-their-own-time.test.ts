// A smoothed limit, and how much of a limit remains, depend on when requests came: a late one may have other headers, if
// they are right at its own time.
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros } from "#src/kit/units.ts";
import { EVERYTHING, key } from "../../histories/world.ts";
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
