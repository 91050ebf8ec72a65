import { expect, test } from "vitest";
import { errorAt, warningAt } from "#src/kit/reading/problems.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import type { Comparison, Filter, Measure } from "#src/lab/scenario/types.ts";
import type { HistoryText } from "../../histories/history.ts";
import { EVERYTHING, type VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const HISTORY: HistoryText = {
  rows: [
    { at: 0, status: 200 },
    { at: 1, status: 200 },
    { at: 2, status: 429, by: "key", retryAfter: 1 },
  ],
  events: [
    { event: "RateLimitSmoothingUp", at: 0, value: 3 },
    { event: "RateLimitSmoothingDown", at: 2, value: 2 },
  ],
  gauges: [0, 1, 3].map((value) => ({ at: value, value })),
};
const WORLD: VariantText = {
  problems: [
    errorAt("ONE", ["keys", 12, "per"], "is wrong"),
    errorAt("TWO", ["apis"], "is wrong"),
    warningAt("THREE", [], "is odd"),
  ],
};

const equals = (value: number): Comparison => ({ op: "equals", value });
const alone: Filter = { ...EVERYTHING, flow: ["other"] };

type Of<Kind extends Measure["kind"]> = Extract<Measure, { kind: Kind }>;
const count = (more: Partial<Of<"count">>): Measure => ({
  kind: "count",
  filter: EVERYTHING,
  comparison: equals(3),
  among: null,
  ...more,
});
const changeOf = (more: Partial<Of<"changeOf">>): Measure => ({
  kind: "changeOf",
  gauge: "allowance",
  key: null,
  in: [1, 2],
  ...more,
});
const gauge = (more: Partial<Of<"gauge">>): Measure => ({
  kind: "gauge",
  gauge: "allowance",
  key: null,
  stage: null,
  when: "always",
  comparison: { op: "atMost", value: 3 },
  withinUs: null,
  sometimes: [],
  ...more,
});
const events = (more: Partial<Of<"events">>): Measure => ({
  kind: "events",
  event: "RateLimit*",
  key: null,
  during: null,
  equals: null,
  count: null,
  ...more,
});
const gaps = (more: Partial<Of<"gapBetween">>): Measure => ({
  kind: "gapBetween",
  event: "RateLimit*",
  key: null,
  comparison: { op: "atLeast", value: SECOND },
  ...more,
});
const windows = (more: Partial<Of<"maxInAnyWindow">>): Measure => ({
  kind: "maxInAnyWindow",
  filter: EVERYTHING,
  windowUs: micros(2 * SECOND),
  comparison: { op: "atMost", value: 2 },
  ...more,
});
const configurationMeasure = (
  level: "errors" | "warnings",
  op: "equals" | "contains",
  ...problems: readonly (readonly [string, string | null])[]
): Measure => ({
  kind: "configuration",
  level,
  op,
  problems: problems.map(([code, path]) => ({ code, path })),
});
const response = (more: Partial<Of<"response">>): Measure => ({
  kind: "response",
  filter: EVERYTHING,
  nth: 2,
  status: 429,
  headers: { "Retry-After": 1 },
  body: null,
  ...more,
});
const sequence = (more: Partial<Of<"sequence">>): Measure => ({
  kind: "sequence",
  filter: EVERYTHING,
  equals: [
    { times: 2, what: "200" },
    { times: 1, what: "429" },
  ],
  agreeWith: null,
  ...more,
});
const up = { times: 1, what: "RateLimitSmoothingUp" };
const down = { times: 1, what: "RateLimitSmoothingDown" };

test.each<[Measure, string, string]>([
  [count({}), "pass: expected 3; observed 3 of 3", "3 0 1 2"],
  [
    count({ comparison: { op: "between", from: 1, to: 2 }, among: { op: "atLeast", value: 9 } }),
    "fail: expected between 1 and 2, among at least 9; observed 3 of 3",
    "3 0 1 2",
  ],
  [
    count({ among: { op: "atLeast", value: 9 } }),
    "vacuous: expected 3, among at least 9; observed 3 of 3",
    "3",
  ],
  [count({ filter: alone }), 'error: expected 3; observed the run has no flow "other"', "0"],
  [changeOf({}), "pass: expected changes of 1 or 2; observed 2 changes of 1, 2", "2 1 2"],
  [
    changeOf({ in: [1] }),
    "fail: expected changes of 1; observed 2 changes of 1, 2; first 2 at t=3s",
    "2 2",
  ],
  [
    changeOf({ key: "bob" }),
    'error: expected changes of 1 or 2; observed the run has no key "bob"',
    "0",
  ],
  [changeOf({ gauge: "entries" }), "vacuous: expected changes of 1 or 2; observed no change", "0"],
  [
    changeOf({ gauge: "speed" }),
    'error: expected changes of 1 or 2; observed there is no gauge "speed"',
    "0",
  ],
  [
    gauge({}),
    "pass: expected allowance always at most 3; observed 3 samples from 0 to 3",
    "3 0 1 2",
  ],
  [
    gauge({ comparison: equals(1), stage: ["climb", "ebb"] }),
    'error: expected allowance always 1 during climb, ebb; observed no flow has a stage "climb, ebb"',
    "0",
  ],
  [
    gauge({ comparison: equals(1), withinUs: micros(SECOND), when: "eventually" }),
    "pass: expected allowance eventually 1 within 1s; observed 2 samples from 0 to 1, reached at t=1s",
    "2 1",
  ],
  [
    gauge({ comparison: equals(1), when: "never", sometimes: [7, 8] }),
    "fail: expected allowance never 1, sometimes 7, 8; observed 3 samples from 0 to 3, first 1 at t=1s",
    "3 1",
  ],
  [
    gauge({ sometimes: [7, 8] }),
    "fail: expected allowance always at most 3, sometimes 7, 8; observed 3 samples from 0 to 3, never 7, 8",
    "3 0 1 2",
  ],
  [
    gauge({ gauge: "speed" }),
    'error: expected speed always at most 3; observed there is no gauge "speed"',
    "0",
  ],
  [
    gauge({ gauge: "entries" }),
    "vacuous: expected entries always at most 3; observed no sample",
    "0",
  ],
  [
    gauge({ key: "bob" }),
    'error: expected allowance always at most 3; observed the run has no key "bob"',
    "0",
  ],
  [
    events({ equals: [up, down] }),
    "pass: expected RateLimitSmoothingUp RateLimitSmoothingDown; observed RateLimitSmoothingUp RateLimitSmoothingDown",
    "2 0 2",
  ],
  [
    events({ equals: [up], count: equals(2) }),
    "fail: expected RateLimitSmoothingUp, 2 of RateLimit*; observed RateLimitSmoothingUp RateLimitSmoothingDown; differs at event 2: expected none, got RateLimitSmoothingDown",
    "2 0 2",
  ],
  [
    events({ equals: [up, down, up] }),
    "fail: expected RateLimitSmoothingUp RateLimitSmoothingDown RateLimitSmoothingUp; observed RateLimitSmoothingUp RateLimitSmoothingDown; differs at event 3: expected RateLimitSmoothingUp, got none",
    "2 0 2",
  ],
  [events({ count: equals(3) }), "fail: expected 3 of RateLimit*; observed 2", "2 0 2"],
  [
    events({ count: equals(0), key: "bob" }),
    'error: expected 0 of RateLimit*; observed the run has no key "bob"',
    "0",
  ],
  [gaps({}), "pass: expected at least 1s; observed gaps of 2s", "1 2"],
  [gaps({ comparison: equals(SECOND) }), "fail: expected 1s; observed gaps of 2s", "1 2"],
  [gaps({ event: "Quota*" }), "vacuous: expected at least 1s; observed no two events", "0"],
  [gaps({ key: "bob" }), 'error: expected at least 1s; observed the run has no key "bob"', "0"],
  [windows({}), "pass: expected at most 2 in any 2s; observed 2 in the 2s up to 1s", "2 0 1"],
  [
    windows({ comparison: equals(1) }),
    "fail: expected 1 in any 2s; observed 2 in the 2s up to 1s",
    "3 0 1",
  ],
  [
    windows({ filter: alone }),
    'error: expected at most 2 in any 2s; observed the run has no flow "other"',
    "0",
  ],
  [
    configurationMeasure("errors", "contains", ["ONE", "keys[12].per"]),
    "pass: expected among them ONE at keys[12].per; observed ONE at keys.12.per, TWO at apis",
    "2",
  ],
  [
    configurationMeasure("errors", "equals", ["ONE", null], ["TWO", "[apis]"]),
    "fail: expected ONE, TWO at [apis]; observed ONE at keys.12.per, TWO at apis",
    "2",
  ],
  [
    configurationMeasure("errors", "equals", ["ONE", null], ["TWO", "apis"]),
    "pass: expected ONE, TWO at apis; observed ONE at keys.12.per, TWO at apis",
    "2",
  ],
  [
    configurationMeasure("warnings", "equals", ["THREE", null]),
    "pass: expected THREE; observed THREE at ",
    "1",
  ],
  [
    configurationMeasure("warnings", "contains"),
    "vacuous: expected among them no warnings; observed THREE at ",
    "0",
  ],
  [
    response({}),
    "pass: expected response 2 with 429, Retry-After: 1; observed 429, Retry-After: 1",
    "1 2",
  ],
  [
    response({ headers: { "Retry-After": 2 } }),
    "fail: expected response 2 with 429, Retry-After: 2; observed 429, Retry-After: 1: Retry-After is 1",
    "1 2",
  ],
  [
    response({ status: 200, headers: {} }),
    "fail: expected response 2 with 200; observed 429: status is 429",
    "1 2",
  ],
  [
    response({ nth: "all", headers: { "Retry-After": null }, status: null }),
    "fail: expected all responses with Retry-After: absent; observed 429, Retry-After: 1 at response 2: Retry-After is 1",
    "3 2",
  ],
  [
    response({ nth: "last", headers: { "X-RateLimit-Limit": null }, body: { error: "x" } }),
    'error: expected last responses with 429, X-RateLimit-Limit: absent, a body with {"error":"x"}; observed the history does not record bodies of upstream responses',
    "0",
  ],
  [
    response({ nth: 7 }),
    "fail: expected response 7 with 429, Retry-After: 1; observed only 3 responses",
    "3 0 1 2",
  ],
  [
    response({ headers: { Server: "x" } }),
    'error: expected response 2 with 429, Server: x; observed the history does not record the header "Server"',
    "0",
  ],
  [
    response({ filter: alone }),
    'error: expected response 2 with 429, Retry-After: 1; observed the run has no flow "other"',
    "0",
  ],
  [sequence({}), "pass: expected 2*200 429; observed 2*200 429", "3 0 1 2"],
  [
    sequence({ equals: [{ times: 3, what: "200" }] }),
    "fail: expected 3*200; observed 2*200 429; differs at only:3 (t=2s): expected 200, got 429",
    "3 0 1 2",
  ],
  [
    sequence({ equals: [{ times: 2, what: "200" }] }),
    "fail: expected 2*200; observed 2*200 429; goes on at only:3 (t=2s): expected no more than 2 requests, got 429",
    "3 0 1 2",
  ],
  [
    sequence({ equals: [{ times: 4, what: "200" }] }),
    "fail: expected 4*200; observed 2*200 429; differs at only:3 (t=2s): expected 200, got 429",
    "3 0 1 2",
  ],
  [
    sequence({
      equals: [
        { times: 2, what: "200" },
        { times: 2, what: "429" },
      ],
    }),
    "fail: expected 2*200 2*429; observed 2*200 429; ends after 3 of 4 requests: expected 429 next",
    "3 0 1 2",
  ],
  [
    sequence({ filter: alone }),
    'error: expected 2*200 429; observed the run has no flow "other"',
    "0",
  ],
])("%j: %s", (measure, text, numbers) => {
  const { outcome, observed, expected, examined, evidence } = verdictOn(measure, HISTORY, WORLD);
  expect(`${outcome}: expected ${expected}; observed ${observed}`).toBe(text);
  // The number of examined rows, and the rows of the evidence.
  expect([examined, ...evidence].join(" ")).toBe(numbers);
});
