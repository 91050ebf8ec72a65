// What was planned for certain times and did not come at them: a limiter that decided rightly at the times at
// which requests really came is not blamed, and one that did not is.
import { expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import { micros } from "../../src/core/units.ts";
import type { Timing } from "../../src/scenario/history.ts";
import type { Measure } from "../../src/scenario/types.ts";
import type { HistoryText, Row } from "../histories/history.ts";
import { EVERYTHING, key } from "../histories/world.ts";
import { judged } from "./judged.ts";

const STAMPED: Timing = {
  kind: "bounded",
  jitterUs: micros(30_000),
  maxUs: micros(100_000),
  isStamped: true,
};
const world = { keys: [key("alice", { limit: limitOf(1, 1) })] };
const refused = { status: 429, by: "key", retryAfter: 1 } as const;

/** Planned a whole window after the first, and come 20 ms before its end or behind it. */
const EARLY: readonly Row[] = [
  { at: 0.02, planned: 0 },
  { at: 1.01, planned: 1, ...refused },
];
const PASSED: readonly Row[] = [
  { at: 0.02, planned: 0 },
  { at: 1.01, planned: 1 },
];

const on = (measure: Measure, rows: readonly Row[], more: HistoryText = {}): string =>
  judged(measure, { rows, timing: STAMPED, ...more }, world).outcome;

const both: Measure = {
  kind: "sequence",
  filter: EVERYTHING,
  equals: [{ times: 2, what: "200" }],
  agreeWith: null,
};
const admitted: Measure = {
  kind: "count",
  filter: { ...EVERYTHING, status: [200] },
  comparison: { op: "equals", value: 2 },
  among: null,
};
const second = (headers: Record<string, number | null>): Measure => ({
  kind: "response",
  filter: EVERYTHING,
  nth: 1,
  status: 429,
  headers,
  body: null,
});

test("a refusal that is right at its own time leaves the planned one open", () => {
  expect(on(both, EARLY)).toBe("inconclusive");
  expect(on(admitted, EARLY)).toBe("inconclusive");
  expect(judged(both, { rows: EARLY, timing: STAMPED }, world).observed).toContain(
    "requests came up to 30ms late",
  );
});

test("a decision that is wrong at its own time fails", () => {
  const none: Measure = { ...admitted, comparison: { op: "equals", value: 1 } };
  expect(on(none, PASSED)).toBe("fail");
  expect(
    on(both, [
      { at: 0.02, planned: 0 },
      { at: 1.03, planned: 1, ...refused },
    ]),
  ).toBe("fail");
});

test("where times are exact nothing is taken back", () => {
  expect(on(both, EARLY, { timing: { kind: "exact" } })).toBe("fail");
});

test("a bound from above holds at any times", () => {
  const most: Measure = {
    kind: "maxInAnyWindow",
    filter: EVERYTHING,
    windowUs: micros(1_000_000),
    comparison: { op: "atMost", value: 0 },
  };
  expect(on(most, EARLY)).toBe("fail");
});

test("a header that tells a time moves by no more than the requests", () => {
  const rows = (retryAfter: number): Row[] => [EARLY[0]!, { ...EARLY[1]!, retryAfter }];
  expect(on(second({ "Retry-After": 2 }), rows(1))).toBe("inconclusive");
  expect(on(second({ "Retry-After": 3 }), rows(1))).toBe("fail");
});

test("a header that tells none does not move at all", () => {
  const rows = [EARLY[0]!, { ...EARLY[1]!, limit: 1 }];
  expect(on(second({ "X-RateLimit-Limit": 2 }), rows)).toBe("fail");
});

test("refusals have to be told once each, whatever the times", () => {
  const one: Measure = {
    kind: "events",
    event: "RatelimitExceeded",
    key: null,
    during: { fromUs: micros(1_000_000), toUs: micros(1_005_000) },
    equals: null,
    count: { op: "equals", value: 1 },
  };
  const told = { event: "RatelimitExceeded", at: 1.01 };
  expect(on(one, EARLY, { events: [told] })).toBe("inconclusive");
  expect(on(one, EARLY, { events: [] })).toBe("fail");
});
