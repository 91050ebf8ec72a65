import { expect, test } from "vitest";
import type { Runs } from "#src/lab/scenario/types.ts";
import { BOUNDED, rowsOf } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const runs = (text: string): Runs =>
  text.split(" ").map((run) => {
    const [times, what] = run.includes("*") ? run.split("*") : ["1", run];
    return { times: Number(times), what: what ?? "" };
  });

const sequence = (text: string, flow: string | null = null) =>
  ({
    kind: "sequence",
    filter: { ...EVERYTHING, flow: flow === null ? null : [flow] },
    equals: runs(text),
    agreeWith: null,
  }) as const;

test("statuses as expected pass, and the evidence is their rows", () => {
  const verdict = verdictOn(sequence("3*200 2*429"), { rows: rowsOf("3*200 2*429", 0, 0.1) });
  expect(verdict).toMatchObject({
    outcome: "pass",
    observed: "3*200 2*429",
    examined: 5,
    evidence: [0, 1, 2, 3, 4],
  });
});

test("no more than ten rows are shown, and those of a difference end with it", () => {
  const rows = rowsOf("20*200", 0, 0.1);
  expect(verdictOn(sequence("20*200"), { rows }).evidence).toHaveLength(10);
  expect(verdictOn(sequence("15*200 429 4*200"), { rows }).evidence).toEqual([11, 12, 13, 14, 15]);
  expect(verdictOn(sequence("4*200 16*429"), { rows }).evidence).toEqual([0, 1, 2, 3, 4]);
});

test("the first difference is reported", () => {
  const verdict = verdictOn(sequence("2*200 3*429"), { rows: rowsOf("3*200 2*429", 1, 0.1) });
  expect(verdict.outcome).toBe("fail");
  expect(verdict.observed).toBe("3*200 2*429; differs at only:3 (t=1.2s): expected 429, got 200");
});

test("a request is named by its flow, and a retry by its number in the history", () => {
  const flows = [{ name: "first" }, { name: "second" }];
  const rows = [{ at: 0 }, { at: 1, flow: "second" }, { at: 2, flow: "second", attempt: 1 }];
  const textFor = (...statuses: readonly number[]) =>
    verdictOn(sequence("3*200"), {
      flows,
      rows: rows.map((row, index) => ({ ...row, status: statuses[index]! })),
    }).observed;
  expect(textFor(200, 429, 200)).toContain("differs at second:1 (t=1s)");
  expect(textFor(200, 200, 429)).toContain("differs at request 2 (t=2s)");
});

test.each([
  ["5*200", "ends after 3 of 5 requests: expected 200 next"],
  ["2*200", "goes on at only:3 (t=200ms): expected no more than 2 requests, got 200"],
])("a sequence of another length than %s fails", (expected, place) => {
  const verdict = verdictOn(sequence(expected), { rows: rowsOf("3*200", 0, 0.1) });
  expect(verdict).toMatchObject({ outcome: "fail", observed: `3*200; ${place}` });
});

test("the order is the planned one, whatever the order of the decisions", () => {
  const rows = [
    { at: 0, status: 429, planned: 0.2 },
    { at: 0.1, status: 200, planned: 0.1 },
  ];
  expect(verdictOn(sequence("200 429"), { rows }).outcome).toBe("pass");
  expect(verdictOn(sequence("200 429"), { rows, timing: BOUNDED }).outcome).toBe("pass");
});

test("an expectation of no request is vacuous without requests", () => {
  const nothing = { kind: "sequence", filter: EVERYTHING, equals: [], agreeWith: null } as const;
  expect(verdictOn(nothing, { rows: [] }).outcome).toBe("vacuous");
});

test("a lost request has its place in a sequence, and the word lost", () => {
  const rows = rowsOf("2*200 lost 429", 0, 0.1);
  expect(verdictOn(sequence("2*200 lost 429"), { rows })).toMatchObject({
    outcome: "pass",
    observed: "2*200 lost 429",
    examined: 4,
  });
  expect(verdictOn(sequence("2*200 2*429"), { rows })).toMatchObject({
    outcome: "fail",
    observed: "2*200 lost 429; differs at only:3 (t=200ms): expected 429, got lost",
    examined: 3,
  });
  // Without a word for lost requests it is about limits, and shows nothing where none decided.
  const lost = rowsOf("2*lost", 0, 0.1);
  expect(verdictOn(sequence("200 429"), { rows: lost })).toMatchObject({
    outcome: "vacuous",
    observed: "2 of 2 got no response: the gateway ended before its response",
  });
  expect(verdictOn(sequence("lost 429"), { rows: lost }).outcome).toBe("fail");
});

test("a flow that the run does not have is an error", () => {
  const verdict = verdictOn(sequence("200", "other"), { rows: rowsOf("200", 0, 1) });
  expect(verdict).toMatchObject({ outcome: "error", observed: 'the run has no flow "other"' });
});

const overlapping = [
  { at: 0, span: [0, 0.03], status: 429 },
  { at: 0.01, span: [0.01, 0.02], status: 200 },
  { at: 0.05, span: [0.05, 0.06], status: 200 },
] as const;

test("if spans overlap, any order that they allow passes", () => {
  expect(verdictOn(sequence("200 429 200"), { rows: overlapping, timing: BOUNDED }).outcome).toBe(
    "pass",
  );
  expect(verdictOn(sequence("429 2*200"), { rows: overlapping, timing: BOUNDED }).outcome).toBe(
    "pass",
  );
  expect(verdictOn(sequence("2*200 429"), { rows: overlapping, timing: BOUNDED }).outcome).toBe(
    "fail",
  );
});

test("exact times leave no order open", () => {
  expect(verdictOn(sequence("200 429 200"), { rows: overlapping }).outcome).toBe("fail");
});

test("if spans overlap, the first difference that every order has is reported", () => {
  const rows = overlapping.map((row, index) => (index === 2 ? { ...row, status: 429 } : row));
  const textIn = (text: string): string =>
    verdictOn(sequence(text), { rows, timing: BOUNDED }).observed;
  expect(textIn("200 429 200")).toContain("differs at only:3 (t=50ms): expected 200");
  expect(textIn("200 429")).toContain("goes on at only:3");
});
