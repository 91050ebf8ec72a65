// Requests that arrive later than planned: a failed expectation becomes inconclusive if the limiter decided correctly at
// the real times, and stays failed otherwise.
import { expect, test } from "vitest";
import { allowForLateRuns } from "#src/lab/check/in-its-own-time.ts";
import { finding } from "#src/lab/check/outcome.ts";
import { subjectOf, type CheckSubject } from "#src/lab/check/subject.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros } from "#src/kit/units.ts";
import type { Timing } from "#src/lab/scenario/history.ts";
import type { Measure } from "#src/lab/scenario/types.ts";
import { BOUNDED, historyOf, type HistoryText, type Row } from "../../histories/history.ts";
import { EVERYTHING, key, variantOf, type VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const STAMPED: Timing = {
  kind: "bounded",
  jitterUs: micros(30_000),
  maxUs: micros(100_000),
  isStamped: true,
};
const world = { keys: [key("alice", { limit: limitOf(1, 1) })] };
const refused = { status: 429, by: "key", retryAfter: 1 } as const;

/** Planned a whole window after the first, and sent 20 ms before or after its end. */
const EARLY: readonly Row[] = [
  { at: 0.02, planned: 0 },
  { at: 1.01, planned: 1, ...refused },
];
const PASSED: readonly Row[] = [
  { at: 0.02, planned: 0 },
  { at: 1.01, planned: 1 },
];

const on = (
  measure: Measure,
  rows: readonly Row[],
  more: HistoryText = {},
  variant: VariantText = world,
): string => verdictOn(measure, { rows, timing: STAMPED, ...more }, variant).outcome;

const both: Extract<Measure, { kind: "sequence" }> = {
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
const second = (headers: Record<string, string | number | null>): Measure => ({
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
  expect(verdictOn(both, { rows: EARLY, timing: STAMPED }, world).observed).toContain(
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

test("with exact times no failure becomes inconclusive", () => {
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

test("a header with a time moves by no more than the requests", () => {
  const rows = (retryAfter: number): Row[] => [EARLY[0]!, { ...EARLY[1]!, retryAfter }];
  expect(on(second({ "Retry-After": 2 }), rows(1))).toBe("inconclusive");
  expect(on(second({ "Retry-After": 3 }), rows(1))).toBe("fail");
});

/** The headers of two responses, in one form or the other; the limit is one request in `perS`. */
const withHeaders = (
  form: "legacy" | "ietf",
  perS: number,
): { variant: VariantText; rows: Row[] } => {
  const policy = `"key";q=1;w=${perS}`;
  const [first, then] =
    form === "legacy"
      ? [
          { limit: 1, remaining: 0, reset: 1 + perS },
          { limit: 1, remaining: 0, reset: 2 + perS },
        ]
      : [
          { policy, standing: `"key";r=0;t=${perS}` },
          { policy, standing: `"key";r=0;t=${perS}`, retryAfter: perS },
        ];
  return {
    variant: {
      keys: [key("alice", { limit: limitOf(1, perS) })],
      options: { rateLimitHeaders: form },
    },
    rows: [
      { ...EARLY[0]!, ...first },
      { ...EARLY[1]!, ...then },
    ],
  };
};

test.each([
  ["X-RateLimit-Reset", 2, 1, {}, "inconclusive"],
  ["X-RateLimit-Reset", 2, 1, { reset: 4 }, "fail"],
  ["X-RateLimit-Reset", 1, 1, {}, "fail"],
  ["RateLimit", '"key";r=0;t=2', 1, {}, "inconclusive"],
  ["RateLimit", '"key";r=0;t=10', 9, {}, "inconclusive"],
  ["RateLimit", '"key";r=0;t=3', 1, {}, "fail"],
  ["RateLimit", '"key";r=1;t=2', 1, {}, "fail"],
  ["RateLimit", '"key";r=0;t=x', 1, {}, "fail"],
  ["RateLimit", '"key";r=0', 1, {}, "fail"],
  ["RateLimit", '"key";t=2;r=0', 1, {}, "fail"],
  ["RateLimit", '"key";r=0;t=2', 1, { standing: '"key";t=1;r=0' }, "fail"],
] as const)(
  "%s of %j with one request in %d s, except for %j: %s",
  (name, wanted, perS, got, outcome) => {
    const { variant, rows } = withHeaders(name === "RateLimit" ? "ietf" : "legacy", perS);
    const wrong = [rows[0]!, { ...rows[1]!, ...got }];
    expect(on(second({ [name]: wanted }), wrong, {}, variant)).toBe(outcome);
  },
);

test("if several headers are wrong, each has to be one that moves with the time", () => {
  const { variant, rows } = withHeaders("legacy", 1);
  const outcome = (limit: number): string =>
    on(second({ "Retry-After": 2, "X-RateLimit-Limit": limit }), rows, {}, variant);
  expect([outcome(2), outcome(1)]).toEqual(["fail", "inconclusive"]);
});

test("of several responses the first that is wrong is looked at", () => {
  const waits: Measure = {
    kind: "response",
    filter: { ...EVERYTHING, status: [429] },
    nth: "all",
    status: null,
    headers: { "Retry-After": 2 },
    body: null,
  };
  const rows: readonly Row[] = [
    { at: 0.02, planned: 0 },
    { at: 0.5, ...refused, retryAfter: 2 },
    { at: 1.03, planned: 1, ...refused, retryAfter: 1 },
  ];
  const slow: VariantText = {
    keys: [key("alice", { limit: limitOf(1, 2) })],
    options: { algorithm: "fixed_window" },
  };
  expect(verdictOn(waits, { rows, timing: STAMPED }, slow).outcome).toBe("inconclusive");
});

test("a vacuous agreement stays vacuous", () => {
  const unmatched = { ...EVERYTHING, status: [500] };
  expect(on({ ...both, filter: unmatched, equals: null, agreeWith: "oracle" }, EARLY)).toBe(
    "vacuous",
  );
});

test("a status may be another at other times, and a body may not", () => {
  const response: Measure = {
    kind: "response",
    filter: EVERYTHING,
    nth: 0,
    status: null,
    headers: {},
    body: null,
  };
  const rows = [{ ...EARLY[0]!, body: { error: "none" } }, EARLY[1]!];
  expect(on({ ...response, status: 429 }, rows)).toBe("inconclusive");
  expect(on({ ...response, body: { error: "late" } }, rows)).toBe("fail");
});

test("a condition that no request met at these times might have been met at the planned ones", () => {
  const refusal: Measure = {
    kind: "response",
    filter: { ...EVERYTHING, status: [429] },
    nth: "all",
    status: null,
    headers: { "Retry-After": 1 },
    body: null,
  };
  const rows = [
    { at: 0.02, planned: 0 },
    { at: 1.03, planned: 0.99 },
  ];
  expect(on(refusal, rows)).toBe("inconclusive");
  expect(on(refusal, rows, { timing: { kind: "exact" } })).toBe("vacuous");
});

test("a passed expectation stays passed", () => {
  expect(on({ ...admitted, comparison: { op: "equals", value: 1 } }, EARLY)).toBe("pass");
});

test("a header without a time does not move at all", () => {
  const rows = [EARLY[0]!, { ...EARLY[1]!, limit: 1 }];
  expect(on(second({ "X-RateLimit-Limit": 2 }), rows)).toBe("fail");
});

test("the requests in a window depend on the times, unless there are none", () => {
  const window: Measure = {
    kind: "maxInAnyWindow",
    filter: EVERYTHING,
    windowUs: micros(1_000_000),
    comparison: { op: "equals", value: 2 },
  };
  expect(on(window, EARLY)).toBe("inconclusive");
  expect(on({ ...window, comparison: { op: "atLeast", value: 2 } }, EARLY)).toBe("inconclusive");
  expect(on({ ...window, comparison: { op: "atLeast", value: 2 } }, [])).toBe("fail");
});

test.each([
  ["equals", "inconclusive"],
  ["atLeast", "fail"],
] as const)("a gap that %s what was planned and came shorter: %s", (op, outcome) => {
  const gap: Measure = {
    kind: "gapBetween",
    event: "RatelimitExceeded",
    key: null,
    comparison: { op, value: 1_000_000 },
  };
  const events = [0.02, 1.01].map((at) => ({ event: "RatelimitExceeded", at }));
  expect(on(gap, EARLY, { events })).toBe(outcome);
});

test("a gauge does not depend on the times of requests", () => {
  const gauge: Measure = {
    kind: "gauge",
    gauge: "allowance",
    key: null,
    stage: null,
    when: "always",
    comparison: { op: "equals", value: 2 },
    withinUs: null,
    sometimes: [],
  };
  expect(on(gauge, EARLY, { gauges: [{ at: 0.02, value: 1 }] })).toBe("fail");
});

test("if the specification does not cover a world, no failure becomes inconclusive", () => {
  const history = { rows: EARLY, timing: STAMPED };
  expect(verdictOn(both, history, { ...world, broken: true }).outcome).toBe("fail");
});

test.each([
  ["certainly", [0.1, 0.1, 0.1], "fail"],
  ["perhaps", [0.1, 0.9], "inconclusive"],
] as const)("where a window %s holds more than it may, from %j s on: %s", (_, from, outcome) => {
  const rows = from.map((at): Row => ({ at, span: [at, at + 0.3] }));
  const one: Measure = { ...admitted, comparison: { op: "equals", value: 1 } };
  expect(on(one, rows, { timing: BOUNDED })).toBe(outcome);
});

const LATER: Timing = { ...STAMPED, jitterUs: micros(50_000) };
const EXACT: Timing = { kind: "exact" };
test.each([
  ["fail", STAMPED, EARLY, LATER, EARLY, "inconclusive", "50ms late"],
  ["fail", EXACT, EARLY, STAMPED, EARLY, "inconclusive", "30ms late"],
  ["fail", EXACT, EARLY, EXACT, EARLY, "fail", "differs"],
  ["fail", STAMPED, EARLY, STAMPED, PASSED, "fail", "differs"],
  ["pass", STAMPED, EARLY, STAMPED, EARLY, "pass", "differs"],
] as const)(
  "two runs: %s, %j of %j against %j of %j is %s",
  (first, a, some, b, others, outcome, observed) => {
    const runs = [historyOf({ rows: some, timing: a }), historyOf({ rows: others, timing: b })].map(
      (history): CheckSubject => subjectOf({ variant: variantOf(world), history }),
    );
    const found = allowForLateRuns(finding(first, "differs", "the same", 2), runs);
    expect(found.outcome).toBe(outcome);
    expect(found.observed).toContain(observed);
  },
);

test("each refusal has to cause one event, whatever the times", () => {
  const one: Measure = {
    kind: "events",
    event: "RatelimitExceeded",
    key: null,
    during: { fromUs: micros(1_000_000), toUs: micros(1_005_000) },
    equals: null,
    count: { op: "equals", value: 1 },
  };
  const event = { event: "RatelimitExceeded", at: 1.01 };
  expect(on(one, EARLY, { events: [event] })).toBe("inconclusive");
  expect(on(one, EARLY, { events: [] })).toBe("fail");
});

test("an event of another name or of another key does not count", () => {
  const rows: readonly Row[] = [
    { at: 0.02, planned: 0 },
    { at: 0.02, planned: 0, flow: "bob", key: "bob" },
    { at: 1.01, planned: 1, ...refused },
    { at: 1.01, planned: 1, flow: "bob", key: "bob", ...refused },
    { at: 1.015, planned: 1, flow: "bob", key: "bob", ...refused },
  ];
  const flows = [{ name: "only" }, { name: "bob", as: "bob" }];
  const outcomeFor = (names: readonly string[], of: string | null): string =>
    verdictOn(
      {
        kind: "events",
        event: "RatelimitExceeded",
        key: of,
        during: { fromUs: micros(2_000_000), toUs: micros(3_000_000) },
        equals: null,
        count: { op: "equals", value: 1 },
      },
      {
        rows,
        flows,
        timing: STAMPED,
        events: names.map((name) => ({
          event: name === "quota" ? "QuotaExceeded" : "RatelimitExceeded",
          at: 1.01,
          key: name === "quota" ? "alice" : name,
        })),
      },
      { keys: ["alice", "bob"].map((id) => key(id, { limit: limitOf(1, 1) })) },
    ).outcome;
  expect(outcomeFor(["alice", "bob", "bob"], null)).toBe("inconclusive");
  expect(outcomeFor(["alice", "bob"], null)).toBe("fail");
  expect(outcomeFor(["alice", "quota"], "alice")).toBe("inconclusive");
  expect(outcomeFor(["alice", "bob"], "bob")).toBe("fail");
  expect(outcomeFor(["bob", "bob"], "bob")).toBe("inconclusive");
  expect(outcomeFor(["alice", "alice", "bob"], null)).toBe("inconclusive");
});
