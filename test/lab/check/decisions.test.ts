import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import type { Measure } from "#src/lab/scenario/types.ts";
import { FOREIGN_DRIVER } from "#src/lab/scenario/history.ts";
import { BOUNDED, rowsOf, type HistoryText, type Row } from "../../histories/history.ts";
import { api, EVERYTHING, key, type VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const agrees: Measure = { kind: "decisions", filter: EVERYTHING, agreeWith: "oracle" };
const asSequence: Measure = {
  kind: "sequence",
  filter: EVERYTHING,
  equals: null,
  agreeWith: "oracle",
};
const world: VariantText = { keys: [key("alice", { limit: limitOf(3, 10) })] };
const refusal = (more: Partial<Row>): Row => ({
  at: 1,
  status: 429,
  by: "key",
  retryAfter: 9,
  ...more,
});
const three = rowsOf("3*200", 0, 0);

test.each([agrees, asSequence])("decisions that the specification allows agree", (measure) => {
  const rows = [...three, refusal({})];
  expect(verdictOn(measure, { rows }, world)).toMatchObject({
    outcome: "pass",
    observed: "0 of 4 decisions disagree",
    examined: 4,
  });
});

test.each([
  [
    "an admitted request too many",
    { status: 200 },
    "got 200, expected 429: key: 3 attempts in the window, 3 allowed (LIM-1)",
  ],
  [
    "another status",
    { status: 403, reason: "quota" },
    "got 403, expected 429: key: 3 attempts in the window, 3 allowed (LIM-1)",
  ],
  [
    "another budget",
    { by: "api" },
    'refused by the budget "api", expected "key": key: 3 attempts in the window, 3 allowed (LIM-1)',
  ],
  [
    "a wait that is too short",
    { retryAfter: 8 },
    "Retry-After 8, expected 9: key: 3 attempts in the window, 3 allowed (LIM-1)",
  ],
  [
    "no wait at all",
    { retryAfter: Number.NaN },
    "no Retry-After, expected 9: key: 3 attempts in the window, 3 allowed (LIM-1)",
  ],
  ["a refusal without a reason", { reason: "none" }, "got 429 without a reason"],
] as const)("%s disagrees", (_, more, why) => {
  const verdict = verdictOn(agrees, { rows: [...three, refusal(more)] }, world);
  expect(verdict).toMatchObject({ outcome: "fail", evidence: [3] });
  expect(verdict.observed).toBe(`1 of 4 decisions disagree; first at only:4 (t=1s): ${why}`);
});

test("a refusal that the specification does not allow disagrees", () => {
  const verdict = verdictOn(agrees, { rows: [refusal({})] }, world);
  expect(verdict.observed).toContain(
    "got 429, expected to be admitted: key: 0 attempts in the window, 3 allowed (LIM-1)",
  );
});

test("a rate of 0 refuses without a Retry-After", () => {
  const nothing: VariantText = { keys: [key("alice", { limit: limitOf(0, 1) })] };
  const { retryAfter: _, ...silent } = refusal({});
  expect(verdictOn(agrees, { rows: [silent] }, nothing).outcome).toBe("pass");
  expect(verdictOn(agrees, { rows: [refusal({})] }, nothing)).toMatchObject({ outcome: "fail" });
});

test("no decision is vacuous", () => {
  expect(verdictOn(agrees, { rows: [] }, world).outcome).toBe("vacuous");
});

test("a flow that the run does not have is an error", () => {
  const measure = { ...agrees, filter: { ...EVERYTHING, flow: ["wild"] } };
  expect(verdictOn(measure, { rows: three }, world)).toMatchObject({
    outcome: "error",
    observed: 'the run has no flow "wild"',
  });
});

test.each([
  ["api", "pass"],
  ["key", "pass"],
] as const)("where either limit may refuse, the one of the %s may be named: %s", (by, outcome) => {
  const either: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(1, 1) })],
    keys: [key("alice", { limit: limitOf(1, 5) })],
  };
  const rows: Row[] = [
    { at: 0, span: [0, 0.02] },
    { at: 1.01, span: [1.01, 1.03], status: 429, by },
  ];
  expect(verdictOn(agrees, { rows, timing: BOUNDED }, either).outcome).toBe(outcome);
});

test("decisions that are all open are inconclusive, unless they contradict one another", () => {
  const rows = (...statuses: readonly number[]): readonly Row[] =>
    statuses.map((status): Row => ({ at: 0, span: [0, 0.04], status, by: "key" }));
  const one: VariantText = { keys: [key("alice", { limit: limitOf(1, 1) })] };
  const counted = "0 of 3 decisions disagree, 3 are open (100.0 %)";
  expect(verdictOn(agrees, { rows: rows(429, 200, 429), timing: BOUNDED }, one)).toMatchObject({
    outcome: "inconclusive",
    observed: counted,
  });
  expect(verdictOn(agrees, { rows: rows(200, 429, 200), timing: BOUNDED }, one)).toMatchObject({
    outcome: "fail",
    observed: `${counted}, but not together: sliding_log of 1 per 1s (key) admitted 2 up to t=40ms, at most 1 are allowed`,
  });
  expect(verdictOn(agrees, { rows: rows(429, 429, 429), timing: BOUNDED }, one)).toMatchObject({
    outcome: "fail",
    observed: `${counted}, but not together: only:1: sliding_log of 1 per 1s (key) refuses after 0 of 1`,
  });
});

test("a world with errors has no decisions to check", () => {
  expect(verdictOn(agrees, { rows: three }, { ...world, broken: true }).outcome).toBe("error");
});

test("the events of a smoothed key are checked as well (EVT-1)", () => {
  const smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: secondsToMicros(2) };
  const smoothed: VariantText = {
    apis: [api("orders")],
    keys: [key("alice", { limit: limitOf(6, 1, smoothing) })],
  };
  const rows = [{ at: 0 }, { at: 1.5 }, { at: 2 }];
  const up = { event: "RateLimitSmoothingUp", at: 2, value: 4 };
  expect(verdictOn(agrees, { rows, events: [up] }, smoothed).outcome).toBe("pass");
  const missing = verdictOn(agrees, { rows }, smoothed);
  expect(missing).toMatchObject({
    outcome: "fail",
    observed: "event 1 of key alice: expected RateLimitSmoothingUp to 4 at 2s, got none",
    evidence: [2],
  });
  expect(verdictOn(agrees, { rows, events: [{ ...up, value: 6 }] }, smoothed).outcome).toBe("fail");
  expect(verdictOn(agrees, { rows, events: [up, up] }, smoothed).outcome).toBe("fail");
});

test("an event without a value differs, and each key has its own events", () => {
  const smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: secondsToMicros(2) };
  const limit = limitOf(6, 1, smoothing);
  const flows = [{ name: "only" }, { name: "bob", as: "bob" }];
  const smoothed: VariantText = { keys: [key("alice", { limit }), key("bob", { limit })], flows };
  const rows: Row[] = [{ at: 0, flow: "bob", key: "bob" }, { at: 0 }, { at: 1.5 }, { at: 2 }];
  const up = { event: "RateLimitSmoothingUp", at: 2 };
  const agreementWith = (value: object) =>
    verdictOn(agrees, { rows, flows, events: [{ ...up, ...value }] }, smoothed);
  expect(agreementWith({ value: 4 }).outcome).toBe("pass");
  expect(agreementWith({}).observed).toBe(
    "event 1 of key alice: expected RateLimitSmoothingUp to 4 at 2s, got RateLimitSmoothingUp to ? at 2s",
  );
});

test("if the allowance of a key is open, its events are not checked", () => {
  const smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: secondsToMicros(2) };
  const smoothed: VariantText = { keys: [key("alice", { limit: limitOf(6, 1, smoothing) })] };
  const events = [{ event: "RateLimitSmoothingUp", at: 2, value: 4 }];
  const rows: Row[] = [{ at: 0, span: [0, 0.04] }];
  expect(verdictOn(agrees, { rows, events, timing: BOUNDED }, smoothed).outcome).toBe("pass");
  expect(verdictOn(agrees, { rows: [{ at: 0 }], events, timing: BOUNDED }, smoothed).outcome).toBe(
    "fail",
  );
});

test("with several reasons any of their statuses agrees, and an admission does not", () => {
  const late: VariantText = {
    keys: [key("alice", { inactive: true, expiresUs: secondsToMicros(0.5) })],
  };
  const withStatus = (status: number) =>
    verdictOn(
      agrees,
      { rows: [{ at: 1, status, ...(status === 200 ? {} : { reason: "access" }) }] },
      late,
    );
  expect([withStatus(401).outcome, withStatus(403).outcome]).toEqual(["pass", "pass"]);
  expect(withStatus(200).observed).toContain("got 200, expected a refusal: the key has expired");
});

/** Two requests at once, of which either may be the refused one, and others that are decided. */
const withTwoOpen = (decided: number, more: object = {}, history: HistoryText = {}) =>
  verdictOn(
    { ...agrees, ...more },
    {
      timing: BOUNDED,
      ...history,
      rows: [
        ...rowsOf(`${decided}*200`, 0, 2),
        ...[200, 429].map((status): Row => ({ at: 99, span: [99, 99.04], status, by: "key" })),
      ],
    },
    { keys: [key("alice", { limit: limitOf(1, 1) })] },
  );

test("of more decisions than a tenth that are open, too little is compared", () => {
  expect(withTwoOpen(18)).toMatchObject({
    outcome: "pass",
    observed: "0 of 20 decisions disagree, 2 are open (10.0 %)",
    expected: "what the specification allows",
    examined: 20,
    open: 2,
  });
  expect(withTwoOpen(17)).toMatchObject({
    outcome: "inconclusive",
    observed: "0 of 19 decisions disagree, 2 are open (10.5 %): more than 10 % of them",
    examined: 19,
    open: 2,
  });
  expect(withTwoOpen(17, { kind: "sequence", equals: null }).outcome).toBe("inconclusive");
  expect(withTwoOpen(0).observed).toBe("0 of 2 decisions disagree, 2 are open (100.0 %)");
  expect(verdictOn(agrees, { rows: three }, world)).toMatchObject({ examined: 3, open: 0 });
});

test.each([agrees, asSequence])(
  "a file may raise the bound, and its reason is shown",
  (measure) => {
    const open = { atMost: 0.4, because: "two arrive at once" };
    expect(withTwoOpen(3, { ...measure, open })).toMatchObject({
      outcome: "pass",
      observed: "0 of 5 decisions disagree, 2 are open (40.0 %)",
      expected: "what the specification allows, with at most 40 % open, because two arrive at once",
    });
    expect(withTwoOpen(2, { ...measure, open })).toMatchObject({
      outcome: "inconclusive",
      observed: "0 of 4 decisions disagree, 2 are open (50.0 %): more than 40 % of them",
    });
  },
);

test("where every decision is open, no bound makes the comparison pass", () => {
  const open = { atMost: 1, because: "two arrive at once" };
  expect(withTwoOpen(0, { open })).toMatchObject({ outcome: "inconclusive", open: 2 });
});

test("of a gateway of others only that is inconclusive, because no time of a decision is known", () => {
  const foreign = { driver: FOREIGN_DRIVER };
  expect(withTwoOpen(1, {}, foreign)).toMatchObject({
    outcome: "pass",
    observed: "0 of 3 decisions disagree, 2 are open (66.7 %)",
  });
  expect(withTwoOpen(0, {}, foreign).outcome).toBe("inconclusive");
  const open = { atMost: 0.4, because: "two arrive at once" };
  const { outcome, expected } = withTwoOpen(1, { open }, foreign);
  expect({ outcome, expected }).toEqual({
    outcome: "pass",
    expected: "what the specification allows",
  });
});
