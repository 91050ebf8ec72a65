import { expect, test } from "vitest";
import { secondsToMicros } from "#src/kit/units.ts";
import type { Comparison, Measure } from "#src/lab/scenario/types.ts";
import { BOUNDED, rowsOf, type GaugeText } from "../../histories/history.ts";
import type { VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

type Gauge = Extract<Measure, { kind: "gauge" }>;

const rows = rowsOf("40*200", 0, 1);
const walk: readonly GaugeText[] = [
  { at: 0, value: 20 },
  { at: 5, value: 30 },
  { at: 10, value: 40 },
  { at: 25, value: 30 },
  { at: 30, value: 20 },
];
const staged: VariantText = {
  stages: [
    { name: "climb", forS: 20 },
    { name: "ebb", forS: 20 },
  ],
};
const between = (from: number, to: number): Comparison => ({ op: "between", from, to });
const gauge = (when: Gauge["when"], comparison: Comparison, more: Partial<Gauge> = {}): Gauge => ({
  kind: "gauge",
  gauge: "allowance",
  key: "alice",
  stage: null,
  when,
  comparison,
  withinUs: null,
  sometimes: [],
  ...more,
});
const verdictOf = (measure: Gauge, gauges: readonly GaugeText[] = walk) =>
  verdictOn(measure, { rows, gauges }, staged);

test.each([
  ["always", between(20, 40), "pass"],
  ["always", between(20, 39), "fail"],
  ["never", { op: "atLeast", value: 41 }, "pass"],
  ["never", { op: "atLeast", value: 40 }, "fail"],
  ["eventually", { op: "equals", value: 40 }, "pass"],
  ["eventually", { op: "equals", value: 50 }, "fail"],
] as const)("%s %j is %s", (when, comparison, outcome) => {
  expect(verdictOf(gauge(when, comparison)).outcome).toBe(outcome);
});

test("a gauge without a sample is vacuous", () => {
  expect(verdictOf(gauge("always", between(20, 40)), []).outcome).toBe("vacuous");
});

test("bounds that were never reached were not tried", () => {
  const reached = gauge("always", between(20, 60), { sometimes: [20, 40] });
  expect(verdictOf(reached).outcome).toBe("pass");
  const verdict = verdictOf({ ...reached, sometimes: [20, 60] });
  expect(verdict.outcome).toBe("fail");
  expect(verdict.observed).toContain("never 60");
});

test("a value that holds when a stage begins belongs to the stage", () => {
  const ebb = { stage: ["ebb"] };
  expect(verdictOf(gauge("always", between(20, 30), ebb))).toMatchObject({
    outcome: "fail",
    observed: "3 samples from 20 to 40, first 40 at t=20s",
  });
  expect(verdictOf(gauge("always", between(20, 40), { stage: ["climb"] })).examined).toBe(3);
});

test("within counts from the beginning of the stage, the deadline included", () => {
  const back = (seconds: number): Gauge =>
    gauge(
      "eventually",
      { op: "equals", value: 20 },
      { stage: ["ebb"], withinUs: secondsToMicros(seconds) },
    );
  expect(verdictOf(back(10)).outcome).toBe("pass");
  expect(verdictOf(back(9.9)).outcome).toBe("fail");
});

test("near the ends of a stage a slow driver leaves it open", () => {
  const measure = gauge(
    "eventually",
    { op: "equals", value: 20 },
    { stage: ["ebb"], withinUs: secondsToMicros(10) },
  );
  expect(verdictOn(measure, { rows, gauges: walk, timing: BOUNDED }, staged).outcome).toBe(
    "inconclusive",
  );
});

test("a value that may have held within a stage leaves the expectation open", () => {
  const measure = gauge("always", between(20, 40), { stage: ["climb"] });
  const late = [...walk.slice(0, 3), { at: 20.01, value: 50 }];
  expect(verdictOn(measure, { rows, gauges: late, timing: BOUNDED }, staged).outcome).toBe(
    "inconclusive",
  );
});

test("without requests there is no evidence", () => {
  const found = verdictOn(
    gauge("always", between(0, 1)),
    { gauges: [{ at: 0, value: 9 }] },
    staged,
  );
  expect(found).toMatchObject({ outcome: "fail", evidence: [] });
});

test.each([
  [gauge("always", between(0, 1), { gauge: "mood" }), 'there is no gauge "mood"'],
  [gauge("always", between(0, 1), { key: "bob" }), 'the run has no key "bob"'],
  [gauge("always", between(0, 1), { stage: ["night"] }), 'no flow has a stage "night"'],
])("%j is an error", (measure, why) => {
  expect(verdictOf(measure)).toMatchObject({ outcome: "error", observed: why });
});

const changeOf = (allowed: readonly number[]): Measure => ({
  kind: "changeOf",
  gauge: "allowance",
  key: "alice",
  in: allowed,
});

test("every change is one of the listed ones", () => {
  expect(verdictOn(changeOf([-10, 10]), { rows, gauges: walk })).toMatchObject({
    outcome: "pass",
    observed: "4 changes of -10, 10",
  });
  expect(verdictOn(changeOf([10]), { rows, gauges: walk })).toMatchObject({
    outcome: "fail",
    evidence: [25, 30],
  });
});

test("two budgets of one key are two gauges (SMO-C7)", () => {
  const two = [
    { at: 0, value: 20, budget: "orders" },
    { at: 1, value: 100, budget: "users" },
    { at: 5, value: 30, budget: "orders" },
    { at: 6, value: 90, budget: "users" },
  ];
  expect(verdictOn(changeOf([-10, 10]), { rows, gauges: two })).toMatchObject({
    outcome: "pass",
    observed: "2 changes of -10, 10",
  });
});

test("a budget that two keys share is one gauge, whichever key changed it (LIM-C8)", () => {
  const shared = [
    { at: 0, value: 20, budget: "team" },
    { at: 5, value: 30, budget: "team", key: "bob" },
    { at: 10, value: 40, budget: "team" },
    { at: 10, value: 99, budget: "own", key: "bob" },
  ];
  expect(verdictOn(changeOf([10]), { rows, gauges: shared })).toMatchObject({
    outcome: "pass",
    observed: "2 changes of 10",
  });
});

test("a constant gauge shows no change", () => {
  const still = [
    { at: 0, value: 20 },
    { at: 5, value: 20 },
  ];
  expect(verdictOn(changeOf([10]), { rows, gauges: still }).outcome).toBe("vacuous");
  expect(verdictOn({ kind: "changeOf", gauge: "mood", key: null, in: [1] }, { rows }).outcome).toBe(
    "error",
  );
});

test("decimal steps are compared as decimals", () => {
  const decimals = [
    { at: 0, value: 0.7 },
    { at: 1, value: 0.8 },
  ];
  expect(verdictOn(changeOf([0.1]), { rows, gauges: decimals }).outcome).toBe("pass");
});

test("a number that is held only in the instant in which a stage or the run begins belongs to it", () => {
  const burst = [1, 2, 3, 4].map((value) => ({ at: 0, value }));
  const eventually = (value: number, more: Partial<Gauge> = {}): Gauge =>
    gauge("eventually", { op: "equals", value }, more);
  const withinUs = secondsToMicros(1);
  expect(verdictOf(eventually(2), burst).outcome).toBe("pass");
  expect(verdictOf(eventually(2, { withinUs }), burst)).toMatchObject({
    outcome: "pass",
    observed: "4 samples from 1 to 4, reached at t=0s",
  });
  expect(verdictOf(eventually(2, { stage: ["climb"] }), burst).outcome).toBe("pass");
  expect(verdictOf(eventually(2, { stage: ["ebb"] }), burst).outcome).toBe("fail");
  const never = gauge("never", { op: "equals", value: 2 }, { stage: ["climb"] });
  expect(verdictOf(never, burst)).toMatchObject({ outcome: "fail" });
});
