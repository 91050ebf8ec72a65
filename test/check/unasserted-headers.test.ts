// Headers of late requests that agreement with the oracle is not about: they stay wrong, unless the times leave open what
// is right.
import { expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import { micros } from "../../src/core/units.ts";
import type { Measure } from "../../src/scenario/types.ts";
import type { Row } from "../histories/history.ts";
import { api, EVERYTHING, key, type WorldText } from "../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const outcome = (
  headers: Record<string, number>,
  nth: number,
  rows: readonly Row[],
  world: WorldText,
  isStamped = true,
): string => {
  const measure: Measure = {
    kind: "response",
    filter: EVERYTHING,
    nth,
    status: null,
    headers,
    body: null,
  };
  const timing = {
    kind: "bounded",
    jitterUs: micros(30_000),
    maxUs: micros(100_000),
    isStamped,
  } as const;
  return verdictOn(measure, { rows, timing }, world).outcome;
};

/** The limits of the key and of the API refuse the second request, for 4 s and for 10 s. */
const ofTwoLevels = (wanted: number, limitOrder: "api_first" | "key_first"): string =>
  outcome(
    { "Retry-After": wanted },
    1,
    [
      { at: 0.02, planned: 0 },
      {
        at: 0.03,
        planned: 0,
        status: 429,
        by: limitOrder === "api_first" ? "api" : "key",
        retryAfter: 10,
      },
    ],
    {
      apis: [api("orders", { globalRateLimit: limitOf(1, 10) })],
      keys: [key("alice", { limit: limitOf(1, 4) })],
      options: { algorithm: "fixed_window", limitOrder },
    },
  );

test("the wait of another of two limits may have been planned, if the reported one is compared", () => {
  expect(ofTwoLevels(4, "api_first")).toBe("inconclusive");
  expect(ofTwoLevels(12, "api_first")).toBe("fail");
  expect(ofTwoLevels(4, "key_first")).toBe("fail");
});

test("what remains under a fixed mark is not asserted, and stays wrong", () => {
  const rows = [
    { at: 0.02, planned: 0, limit: 3, remaining: 2, reset: 2 },
    { at: 1.53, planned: 1.5, limit: 3, remaining: 1, reset: 2 },
  ];
  const world: WorldText = {
    keys: [key("alice", { limit: limitOf(3, 1) })],
    options: { algorithm: "sentinel", sentinelMark: "fixed", rateLimitHeaders: "legacy" },
  };
  expect(outcome({ "X-RateLimit-Remaining": 2 }, 1, rows, world)).toBe("fail");
});

test.each([
  [1, 0, "inconclusive"],
  [5, 0, "fail"],
  [1, 5, "fail"],
] as const)("an open decision with %d left, where %d was planned: %s", (got, wanted, expected) => {
  // Perhaps the window of the first two is over.
  const rows: readonly Row[] = [
    { at: 0.02, planned: 0, limit: 2, remaining: 1, reset: 2 },
    { at: 0.02, planned: 0, limit: 2, remaining: 0, reset: 2 },
    { at: 1.01, planned: 1, span: [1.01, 1.05], limit: 2, remaining: got, reset: 3 },
  ];
  const world: WorldText = {
    keys: [key("alice", { limit: limitOf(2, 1) })],
    options: { algorithm: "fixed_window", rateLimitHeaders: "legacy" },
  };
  expect(outcome({ "X-RateLimit-Remaining": wanted }, 2, rows, world, false)).toBe(expected);
});

test("an admitted request has no Retry-After, whatever its times leave open", () => {
  const rows: readonly Row[] = [
    { at: 0.02, planned: 0 },
    { at: 0.02, planned: 0 },
    { at: 1.01, planned: 1, span: [1.01, 1.05], retryAfter: 9 },
  ];
  const world: WorldText = {
    apis: [api("orders", { globalRateLimit: limitOf(9, 10) })],
    keys: [key("alice", { limit: limitOf(2, 1) })],
    options: { algorithm: "fixed_window" },
  };
  expect(outcome({ "Retry-After": 1 }, 2, rows, world, false)).toBe("fail");
});
