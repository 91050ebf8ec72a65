import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import type { Measure } from "#src/lab/scenario/types.ts";
import { BOUNDED, rowsOf, type HistoryText } from "../../histories/history.ts";
import { EVERYTHING, key, type VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const DECISIONS: Measure = { kind: "decisions", filter: EVERYTHING, agreeWith: "oracle" };
const smoothing = { threshold: 1, step: 1, trigger: 0.5, delayUs: micros(SECOND) };
const TWO: VariantText = { keys: [key("alice", { limit: limitOf(2, 10) })] };
const SMOOTHED: VariantText = {
  keys: [key("alice", { limit: limitOf(3, 10, smoothing) }), key("bob", { limit: limitOf(2, 10) })],
};
const up = (at: number, value: number) => ({ event: "RateLimitSmoothingUp", at, value });
const refused = { status: 429, by: "key" } as const;

test.each<[string, HistoryText, VariantText, string, readonly number[]]>([
  [
    "a 401 without a reason",
    { rows: [{ at: 0, status: 401, reason: "none" }] },
    TWO,
    "fail: 1 of 1 decisions disagree; first at only:1 (t=0s): got 401 without a reason",
    [0],
  ],
  [
    "a 403 without a reason",
    { rows: [{ at: 0, status: 403, reason: "none" }] },
    TWO,
    "fail: 1 of 1 decisions disagree; first at only:1 (t=0s): got 403 without a reason",
    [0],
  ],
  [
    "a 429 without a reason",
    { rows: [{ at: 0, status: 429, reason: "none" }] },
    TWO,
    "fail: 1 of 1 decisions disagree; first at only:1 (t=0s): got 429 without a reason",
    [0],
  ],
  [
    "one too many",
    { rows: rowsOf("3*200", 0, 1) },
    TWO,
    "fail: 1 of 3 decisions disagree; first at only:3 (t=2s): got 200, expected 429: key: 2 attempts in the window, 2 allowed (LIM-1)",
    [2],
  ],
  [
    "one too few",
    { rows: [{ at: 0, ...refused }] },
    TWO,
    "fail: 1 of 1 decisions disagree; first at only:1 (t=0s): got 429, expected to be admitted: key: 0 attempts in the window, 2 allowed (LIM-1)",
    [0],
  ],
  [
    "the wrong status",
    { rows: [...rowsOf("2*200", 0, 0), { at: 1, ...refused, status: 403, reason: "rate" }] },
    TWO,
    "fail: 1 of 3 decisions disagree; first at only:3 (t=1s): got 403, expected 429: key: 2 attempts in the window, 2 allowed (LIM-1)",
    [2],
  ],
  [
    "the wrong budget",
    { rows: [...rowsOf("2*200", 0, 0), { at: 1, status: 429, by: "api" }] },
    TWO,
    'fail: 1 of 3 decisions disagree; first at only:3 (t=1s): refused by the budget "api", expected "key": key: 2 attempts in the window, 2 allowed (LIM-1)',
    [2],
  ],
  [
    "too early",
    { rows: [...rowsOf("2*200", 0, 0), { at: 1, ...refused, retryAfter: 8 }] },
    TWO,
    "fail: 1 of 3 decisions disagree; first at only:3 (t=1s): Retry-After 8, expected 9: key: 2 attempts in the window, 2 allowed (LIM-1)",
    [2],
  ],
  [
    "too late",
    { rows: [...rowsOf("2*200", 0, 0), { at: 1, ...refused, retryAfter: 12 }] },
    TWO,
    "fail: 1 of 3 decisions disagree; first at only:3 (t=1s): Retry-After 12, expected 9: key: 2 attempts in the window, 2 allowed (LIM-1)",
    [2],
  ],
  [
    "no header",
    { rows: [...rowsOf("2*200", 0, 0), { at: 1, ...refused }] },
    TWO,
    "fail: 1 of 3 decisions disagree; first at only:3 (t=1s): no Retry-After, expected 9: key: 2 attempts in the window, 2 allowed (LIM-1)",
    [2],
  ],
  [
    "a header where no wait helps",
    { rows: [{ at: 1, ...refused, retryAfter: 1 }] },
    { keys: [key("alice", { limit: limitOf(0, 10) })] },
    "fail: 1 of 1 decisions disagree; first at only:1 (t=1s): Retry-After 1, expected none: key: the limit admits nothing (LIM-1)",
    [0],
  ],
  [
    "within a span",
    {
      timing: BOUNDED,
      rows: [...rowsOf("2*200", 0, 0), { at: 1, span: [1, 2.5], ...refused, retryAfter: 20 }],
    },
    TWO,
    "fail: 1 of 3 decisions disagree; first at only:3 (t=1s): Retry-After 20, expected 8 to 9: key: 2 attempts in the window, 2 allowed (LIM-1)",
    [2],
  ],
  [
    "an event that is missing",
    { rows: rowsOf("200", 0, 0).concat({ at: 2, status: 200, by: "key" }) },
    SMOOTHED,
    "fail: event 1 of key alice: expected RateLimitSmoothingUp to 2 at 2s, got none",
    [1],
  ],
  [
    "an event too many",
    { rows: rowsOf("200", 0, 0), events: [up(0, 2)] },
    SMOOTHED,
    "fail: event 1 of key alice: expected none, got RateLimitSmoothingUp to 2 at 0s",
    [],
  ],
  [
    "another value",
    { rows: [{ at: 0 }, { at: 2 }], events: [up(2, 3)] },
    SMOOTHED,
    "fail: event 1 of key alice: expected RateLimitSmoothingUp to 2 at 2s, got RateLimitSmoothingUp to 3 at 2s",
    [1],
  ],
  [
    "the right event",
    { rows: [{ at: 0 }, { at: 2 }], events: [up(2, 2)] },
    SMOOTHED,
    "pass: 0 of 2 decisions disagree",
    [0, 1],
  ],
  [
    "an event of somebody else",
    { rows: [{ at: 0 }, { at: 2 }], events: [up(2, 2), { ...up(2, 2), key: "bob" }] },
    SMOOTHED,
    "pass: 0 of 2 decisions disagree",
    [0, 1],
  ],
  [
    "another event",
    {
      rows: [{ at: 0 }, { at: 2 }],
      events: [up(2, 2), { event: "QuotaExceeded", at: 3, value: 1 }],
    },
    SMOOTHED,
    "pass: 0 of 2 decisions disagree",
    [0, 1],
  ],
  ["nothing", { rows: [] }, TWO, "vacuous: 0 of 0 decisions disagree", []],
  [
    "a world that starts no gateway",
    { rows: [{ at: 0 }] },
    { ...TWO, broken: true },
    "error: the configuration has errors, so no gateway runs",
    [],
  ],
])("%s", (_, history, variant, verdict, rows) => {
  const { outcome, observed, evidence } = verdictOn(DECISIONS, history, variant);
  expect(`${outcome}: ${observed}`).toBe(verdict);
  expect(evidence).toEqual(rows);
});
