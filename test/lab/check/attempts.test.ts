import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, SECOND, secondsToMicros } from "#src/kit/units.ts";
import type { Comparison, Filter, Measure } from "#src/lab/scenario/types.ts";
import type { HistoryText, Row } from "../../histories/history.ts";
import { EVERYTHING, key } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const equals = (value: number): Comparison => ({ op: "equals", value });

const gaveUp = (comparison: Comparison, filter: Partial<Filter> = {}): Measure => ({
  kind: "gaveUp",
  filter: { ...EVERYTHING, ...filter },
  comparison,
});

const wait = (
  percentile: number | null,
  comparison: Comparison,
  filter: Partial<Filter> = {},
): Measure => ({
  kind: "timeToAdmission",
  filter: { ...EVERYTHING, ...filter },
  percentile,
  comparison,
});

const refused = { status: 429, by: "key" } as const;

/** One client with three requests at 0 s and one at 1 s: admitted at 0 s, 4 s, never, and 1.5 s, the answer 0.25 s later. */
const ROWS: readonly Row[] = [
  { at: 0 },
  { at: 0, ...refused },
  { at: 0, ...refused },
  { at: 1, ...refused },
  { at: 1.5, planned: 1, attempt: 1, answered: 1.75 },
  { at: 2, planned: 0, attempt: 1, ...refused },
  { at: 2, planned: 0, attempt: 1, ...refused },
  { at: 4, planned: 0, attempt: 2 },
  { at: 4, planned: 0, attempt: 2, ...refused },
];
const HISTORY: HistoryText = { rows: ROWS };

test("a request gave up if none of its attempts was admitted, and its last one is named", () => {
  expect(verdictOn(gaveUp(equals(1)), HISTORY)).toMatchObject({
    outcome: "pass",
    observed: "1 of 4",
    examined: 4,
    evidence: [8],
  });
  expect(verdictOn(gaveUp(equals(0)), HISTORY).outcome).toBe("fail");
});

test.each([
  [25, 0],
  [26, 0.75],
  [50, 0.75],
  [75, 4],
  [0, 0],
])("%d of 100 requests are admitted within %d s", (percentile, seconds) => {
  const wanted = secondsToMicros(seconds);
  expect(verdictOn(wait(percentile, equals(wanted)), HISTORY).outcome).toBe("pass");
  expect(verdictOn(wait(percentile, equals(wanted + 1)), HISTORY).outcome).toBe("fail");
});

test("a request that gave up waits for ever, so that no percentile hides it", () => {
  const most: Comparison = { op: "atMost", value: 100 * SECOND };
  expect(verdictOn(wait(76, most), HISTORY)).toMatchObject({
    outcome: "fail",
    expected: "at most 100s at percentile 76",
    observed: "never at percentile 76; 1 of 4 never admitted",
  });
  expect(verdictOn(wait(null, most), HISTORY)).toMatchObject({
    outcome: "fail",
    observed: "times of [0s, never]; 1 of 4 never admitted",
    evidence: [8],
  });
  expect(verdictOn(wait(null, { op: "atLeast", value: 0 }), HISTORY).outcome).toBe("pass");
});

test("a filter chooses requests by their first attempts", () => {
  const early = { during: { fromUs: micros(0), toUs: micros(SECOND) } };
  expect(verdictOn(gaveUp(equals(1), early), HISTORY)).toMatchObject({ observed: "1 of 3" });
  const late = { during: { fromUs: micros(SECOND), toUs: micros(1.2 * SECOND) } };
  expect(verdictOn(wait(null, equals(750_000), late), HISTORY)).toMatchObject({
    outcome: "pass",
    observed: "times of 750ms; 0 of 1 never admitted",
  });
});

test("requests of two clients or flows are not mixed up as attempts of one another", () => {
  const rows: readonly Row[] = [
    { at: 0, client: 0, ...refused },
    { at: 0, client: 1 },
    { at: 0, flow: "other", ...refused },
    { at: 3, planned: 0, attempt: 1, flow: "other" },
  ];
  const history = { rows, flows: [{ name: "only" }, { name: "other" }] };
  expect(verdictOn(gaveUp(equals(1), { flow: ["only"] }), history)).toMatchObject({
    outcome: "pass",
    observed: "1 of 2",
    evidence: [0],
  });
  expect(verdictOn(wait(null, equals(3 * SECOND), { flow: ["other"] }), history).outcome).toBe(
    "pass",
  );
});

test("a request rejected before any limit is left out, unless a later attempt reaches one", () => {
  const rejected = { status: 401, reason: "credential" } as const;
  const rows: readonly Row[] = [
    { at: 0, client: 0, ...rejected },
    { at: 0, client: 1, status: 503, reason: "store" },
    { at: 2, planned: 0, client: 1, attempt: 1 },
  ];
  expect(verdictOn(gaveUp(equals(0)), { rows })).toMatchObject({
    outcome: "pass",
    observed: "0 of 1, and 2 were rejected: 401 503",
  });
  expect(verdictOn(wait(null, equals(2 * SECOND)), { rows }).outcome).toBe("pass");
  const none = { rows: rows.slice(0, 1) };
  expect(verdictOn(gaveUp(equals(0)), none).outcome).toBe("vacuous");
  expect(verdictOn(wait(null, { op: "atLeast", value: 0 }), none).outcome).toBe("vacuous");
});

test("a request that is lost and not sent again has given up, and its loss is reported", () => {
  const rows: readonly Row[] = [...ROWS, { at: 5, lost: "ended", answered: 6 }];
  expect(verdictOn(gaveUp(equals(2)), { rows })).toMatchObject({
    outcome: "pass",
    observed: "2 of 5, 1 of them lost",
    examined: 5,
    evidence: [8, 9],
  });
  expect(verdictOn(wait(60, equals(4 * SECOND)), { rows }).outcome).toBe("pass");
  expect(verdictOn(wait(61, equals(4 * SECOND)), { rows })).toMatchObject({
    outcome: "fail",
    observed: "never at percentile 61; 2 of 5 never admitted",
  });
});

test("a lost request that is sent again and admitted has not given up, and waited from its plan on", () => {
  const lost: Row = { at: 1, lost: "ended", answered: 1.5 };
  const rows = [lost, { at: 4, planned: 1, attempt: 1 }];
  expect(verdictOn(gaveUp(equals(0)), { rows })).toMatchObject({
    outcome: "pass",
    observed: "0 of 1",
  });
  expect(verdictOn(wait(null, equals(3 * SECOND)), { rows })).toMatchObject({
    outcome: "pass",
    observed: "times of 3s; 0 of 1 never admitted",
  });
  const again: Row = { at: 4, planned: 1, attempt: 1, lost: "unreachable" };
  expect(verdictOn(gaveUp(equals(0)), { rows: [lost, again, { at: 5 }] })).toMatchObject({
    outcome: "fail",
    observed: "1 of 2, 1 of them lost",
    evidence: [1],
  });
});

test("in real time a first attempt may have been sent late, and so the wait be shorter", () => {
  const timing = {
    kind: "bounded",
    jitterUs: micros(100_000),
    maxUs: micros(100_000),
    isStamped: false,
  } as const;
  const most = (value: number): Measure => wait(75, { op: "atMost", value });
  expect(verdictOn(most(4 * SECOND), { rows: ROWS, timing }).outcome).toBe("pass");
  expect(verdictOn(most(3.95 * SECOND), { rows: ROWS, timing })).toMatchObject({
    outcome: "inconclusive",
    observed: "[3.9s, 4s] at percentile 75; 1 of 4 never admitted",
  });
});

test.each([gaveUp(equals(0)), wait(null, { op: "atMost", value: SECOND })])(
  "a refusal that is right at the time at which the request came leaves both open: %j",
  (measure) => {
    const late = (second: Partial<Row>): HistoryText => ({
      rows: [
        { at: 0.02, planned: 0 },
        { at: 1.01, planned: 1, ...second },
      ],
      timing: {
        kind: "bounded",
        jitterUs: micros(30_000),
        maxUs: micros(100_000),
        isStamped: true,
      },
    });
    const world = { keys: [key("alice", { limit: limitOf(1, 1) })] };
    const early = late({ ...refused, retryAfter: 1 });
    expect(verdictOn(measure, early, world).outcome).toBe("inconclusive");
    expect(verdictOn(measure, { ...early, timing: { kind: "exact" } }, world).outcome).toBe("fail");
    expect(verdictOn(measure, late({}), world).outcome).toBe("pass");
  },
);

test.each([gaveUp(equals(0), { flow: ["strange"] }), wait(null, equals(0), { flow: ["strange"] })])(
  "a flow that the run does not have is an error",
  (measure) => {
    expect(verdictOn(measure, HISTORY)).toMatchObject({
      outcome: "error",
      observed: 'the run has no flow "strange"',
    });
  },
);
