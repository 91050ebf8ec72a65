import { expect, test } from "vitest";
import { secondsToMicros } from "#src/kit/units.ts";
import type { Comparison, Measure } from "#src/lab/scenario/types.ts";
import { BOUNDED, rowsOf } from "../../histories/history.ts";
import { key as keyOf } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

type Events = Extract<Measure, { kind: "events" }>;

const UP = "RateLimitSmoothingUp";
const DOWN = "RateLimitSmoothingDown";
const rows = rowsOf("30*200", 0, 1);
const happened = [
  { event: UP, at: 1 },
  { event: UP, at: 6 },
  { event: "RatelimitExceeded", at: 7 },
  { event: DOWN, at: 20 },
];
const events = (more: Partial<Events>): Events => ({
  kind: "events",
  event: "RateLimitSmoothing*",
  key: "alice",
  during: null,
  equals: null,
  count: null,
  ...more,
});

test("names in the order of their times pass, with their requests as evidence", () => {
  const measure = events({
    equals: [
      { times: 2, what: UP },
      { times: 1, what: DOWN },
    ],
  });
  expect(verdictOn(measure, { rows, events: happened })).toMatchObject({
    outcome: "pass",
    examined: 3,
    evidence: [1, 6, 20],
  });
});

test("another event in the place of an expected one fails in words", () => {
  const measure = events({ equals: [{ times: 3, what: UP }] });
  const verdict = verdictOn(measure, { rows, events: happened });
  expect(verdict.outcome).toBe("fail");
  expect(verdict.observed).toBe(`2*${UP} ${DOWN}; differs at event 3: expected ${UP}, got ${DOWN}`);
});

test("the evidence begins four events before the difference", () => {
  const seven = Array.from({ length: 7 }, (_, at) => ({ event: UP, at }));
  const measure = events({
    equals: [
      { times: 6, what: UP },
      { times: 1, what: DOWN },
    ],
  });
  expect(verdictOn(measure, { rows, events: seven }).evidence).toEqual([2, 3, 4, 5, 6]);
});

test("events of another key are not counted", () => {
  const two = [...happened, { event: UP, at: 8, key: "bob" }];
  const requests = [...rows, { at: 30, key: "bob" }];
  const count = { op: "equals", value: 3 } as const;
  expect(verdictOn(events({ count }), { rows: requests, events: two }).outcome).toBe("pass");
  expect(verdictOn(events({ key: null, count }), { rows: requests, events: two }).observed).toBe(
    "4",
  );
});

test("an expectation of no event passes if requests might have caused one, else it is vacuous", () => {
  const none: Comparison = { op: "equals", value: 0 };
  expect(verdictOn(events({ count: none }), { rows }).outcome).toBe("pass");
  expect(verdictOn(events({ equals: [] }), { rows: [] }).outcome).toBe("vacuous");
  expect(verdictOn(events({ count: none }), { rows, events: happened }).outcome).toBe("fail");
});

test("events are looked at during a part of the run", () => {
  const during = { fromUs: secondsToMicros(6), toUs: secondsToMicros(20) };
  const one: Comparison = { op: "equals", value: 1 };
  expect(verdictOn(events({ during, count: one }), { rows, events: happened }).outcome).toBe(
    "pass",
  );
});

test("a key that is neither configured nor seen is an error", () => {
  const verdict = verdictOn(events({ key: "bob", equals: [] }), { rows });
  expect(verdict).toMatchObject({ outcome: "error", observed: 'the run has no key "bob"' });
});

const gap = (comparison: Comparison): Measure => ({
  kind: "gapBetween",
  event: "RateLimitSmoothing*",
  key: "alice",
  comparison,
});
const atLeast = (seconds: number): Comparison => ({
  op: "atLeast",
  value: secondsToMicros(seconds),
});

test("every gap must be wide enough", () => {
  expect(verdictOn(gap(atLeast(5)), { rows, events: happened })).toMatchObject({
    outcome: "pass",
    observed: "gaps of [5s, 14s]",
    examined: 2,
  });
  expect(verdictOn(gap(atLeast(6)), { rows, events: happened })).toMatchObject({
    outcome: "fail",
    evidence: [6],
  });
});

test("one event has no gap", () => {
  expect(verdictOn(gap(atLeast(5)), { rows, events: happened.slice(0, 1) }).outcome).toBe(
    "vacuous",
  );
});

test("events of two keys are no neighbours", () => {
  const two = [
    { event: UP, at: 1 },
    { event: UP, at: 2, key: "bob" },
  ];
  const measure: Measure = { kind: "gapBetween", event: "*", key: null, comparison: atLeast(5) };
  expect(verdictOn(measure, { rows, events: two }).outcome).toBe("vacuous");
});

test("clocks of two gateways leave a gap open within the driver's uncertainty", () => {
  const two = [
    { event: UP, at: 1, gateway: 0 },
    { event: UP, at: 6.01, gateway: 1 },
  ];
  expect(verdictOn(gap(atLeast(5)), { rows, events: two, timing: BOUNDED }).outcome).toBe(
    "inconclusive",
  );
  expect(verdictOn(gap(atLeast(5)), { rows, events: two }).outcome).toBe("pass");
});

test("many events on many requests are checked in linear time", () => {
  const many = 60_000;
  const exceeded = Array.from({ length: many }, () => ({ event: "RatelimitExceeded", at: 1 }));
  const all = events({ event: "RatelimitExceeded", count: { op: "equals", value: many } });
  expect(verdictOn(all, { rows: rowsOf(`${many}*429`, 0, 0), events: exceeded })).toMatchObject({
    outcome: "pass",
    examined: many,
    evidence: Array.from({ length: 10 }, () => many - 1),
  });
});

test.each([
  [null, 3],
  ["bob", 1],
])(
  "where none is expected, the requests of %s that might have caused one are looked at: %d",
  (key, examined) => {
    const rows = [{ at: 0 }, { at: 1, key: "bob" }, { at: 2 }];
    const count = { op: "equals", value: 0 } as const;
    const none = {
      kind: "events",
      event: "Quota*",
      key,
      during: null,
      equals: null,
      count,
    } as const;
    const world = { keys: [keyOf("alice"), keyOf("bob")] };
    expect(verdictOn(none, { rows }, world)).toMatchObject({ outcome: "pass", examined });
  },
);

test("events are sorted by their times, whichever is recorded first", () => {
  const unsorted = [
    { event: DOWN, at: 20 },
    { event: UP, at: 1 },
  ];
  const equals = [UP, DOWN].map((what) => ({ times: 1, what }));
  const both = {
    kind: "events",
    event: "*",
    key: null,
    during: null,
    equals,
    count: null,
  } as const;
  expect(verdictOn(both, { rows, events: unsorted }).outcome).toBe("pass");
});

test("the evidence of an event is the last earlier request of its key", () => {
  const requests = [{ at: 0, key: "bob" }, { at: 1 }, { at: 2, key: "bob" }, { at: 4 }];
  const of = (key: string | null, at: number): readonly number[] => {
    const events = [{ event: UP, at, key }];
    const one = { op: "equals", value: 1 } as const;
    const any = {
      kind: "events",
      event: UP,
      key: null,
      during: null,
      equals: null,
      count: one,
    } as const;
    return verdictOn(any, { rows: requests, events }).evidence;
  };
  expect([of("alice", 3), of("bob", 3), of("bob", 1), of("alice", 0.5), of("bob", 0)]).toEqual([
    [1],
    [2],
    [0],
    [],
    [0],
  ]);
  expect([of(null, 1), of(null, 3), of(null, -1)]).toEqual([[1], [2], []]);
});

test("events of one gateway have one clock, however uncertain other clocks are", () => {
  const two = [1, 6].map((at) => ({ event: UP, at, gateway: 1 }));
  expect(verdictOn(gap(atLeast(5)), { rows, events: two, timing: BOUNDED }).outcome).toBe("pass");
});

test("only a gap with the outcome of the verdict is evidence, if there is a request before it", () => {
  const three = [5, 6, 20].map((at) => ({ event: UP, at }));
  expect(verdictOn(gap(atLeast(5)), { rows, events: three }).evidence).toEqual([6]);
  const early = [0.5, 1].map((at) => ({ event: UP, at }));
  const first = [{ at: 1 }];
  expect(verdictOn(gap(atLeast(5)), { rows: first, events: early }).evidence).toEqual([0]);
  const older = [0.5, 0.6].map((at) => ({ event: UP, at }));
  expect(verdictOn(gap(atLeast(5)), { rows: first, events: older }).evidence).toEqual([]);
});

test("an expectation may name a configured key that sends nothing", () => {
  const keys = ["alice", "bob"].map((id) => keyOf(id));
  const none = events({ key: "bob", equals: [] });
  expect(verdictOn(none, { rows }, { keys }).outcome).toBe("vacuous");
  expect(verdictOn({ ...none, key: "carol" }, { rows }, { keys }).outcome).toBe("error");
  expect(verdictOn({ ...none, key: "carol" }, { rows }, { keys, broken: true }).outcome).toBe(
    "error",
  );
});
