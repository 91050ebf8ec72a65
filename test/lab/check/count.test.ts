import { expect, test } from "vitest";
import type { Comparison, Filter } from "#src/lab/scenario/types.ts";
import { NO_STATUS } from "#src/lab/scenario/history.ts";
import { rowsOf, type Row } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const count = (filter: Partial<Filter>, comparison: Comparison, among: Comparison | null = null) =>
  ({ kind: "count", filter: { ...EVERYTHING, ...filter }, comparison, among }) as const;

const rows = rowsOf("4*200 2*429", 0, 0.5);
const none: Comparison = { op: "equals", value: 0 };

test("a count within its bounds passes, and another fails", () => {
  expect(verdictOn(count({ status: [429] }, { op: "equals", value: 2 }), { rows })).toMatchObject({
    outcome: "pass",
    observed: "2 of 6",
    evidence: [4, 5],
  });
  expect(verdictOn(count({ status: [429] }, { op: "atMost", value: 1 }), { rows }).outcome).toBe(
    "fail",
  );
  // The evidence ends with the first one that is too many.
  expect(verdictOn(count({ status: [200] }, { op: "atMost", value: 1 }), { rows })).toMatchObject({
    evidence: [0, 1],
    evidenceTotal: 4,
  });
});

test("a count of zero is vacuous among too few requests, and passes among enough", () => {
  const several: Comparison = { op: "atLeast", value: 6 };
  const more: Comparison = { op: "atLeast", value: 7 };
  expect(verdictOn(count({ status: [500] }, none, several), { rows }).outcome).toBe("pass");
  expect(verdictOn(count({ status: [500] }, none, more), { rows }).outcome).toBe("vacuous");
  expect(verdictOn(count({ status: [500] }, none), { rows: [] }).outcome).toBe("vacuous");
});

test("a count about limits of lost requests alone is vacuous, and reports the reasons", () => {
  const rows: readonly Row[] = [
    { at: 0, lost: "ended" },
    { at: 1, lost: "unreachable" },
  ];
  expect(verdictOn(count({ status: [429] }, none), { rows })).toMatchObject({
    outcome: "vacuous",
    observed:
      "1 of 2 got no response: the gateway ended before its response; 1 of 2 got no response: no gateway took the connection",
  });
});

test("a count that fails is not excused by a small sample", () => {
  const more: Comparison = { op: "atLeast", value: 7 };
  expect(verdictOn(count({ status: [429] }, none, more), { rows }).outcome).toBe("fail");
});

test("a lost request has no status, and a count reports it", () => {
  const rows = rowsOf("4*200 2*429 3*lost", 0, 0.5);
  const equals = (value: number): Comparison => ({ op: "equals", value });
  const three = count({ status: [NO_STATUS] }, equals(3));
  expect(verdictOn(count({ status: [429] }, equals(2)), { rows })).toMatchObject({
    outcome: "pass",
    observed: "2 of 6, and 3 were lost",
    examined: 6,
  });
  expect(verdictOn(three, { rows })).toMatchObject({
    outcome: "pass",
    observed: "3 of 9",
    evidence: [6, 7, 8],
  });
  expect(verdictOn(count({}, equals(9), equals(9)), { rows })).toMatchObject({
    outcome: "pass",
    observed: "9 of 9, 3 of them lost",
  });
  // A count that names lost requests counts them, also together with those that a limit refused.
  expect(verdictOn(count({ status: [429, NO_STATUS] }, equals(5)), { rows })).toMatchObject({
    outcome: "pass",
    observed: "5 of 9",
  });
  expect(verdictOn(three, { rows: rowsOf("lost", 0, 1) })).toMatchObject({
    outcome: "fail",
    observed: "1 of 1",
  });
});

test.each([
  ["during, the end left out", { during: { fromUs: 500_000, toUs: 2_000_000 } }, 3],
  ["status", { status: [200, 429] }, 6],
  ["client", { as: ["alice"] }, 6],
  ["endpoint as sent", { endpoint: "GET /orders" }, 6],
  ["API", { api: ["orders"] }, 6],
  ["gateway", { gateway: [1] }, 0],
])("a filter by %s selects its rows", (_, filter, selected) => {
  const found = verdictOn(count(filter as Partial<Filter>, { op: "equals", value: selected }), {
    rows,
  });
  expect(found.observed).toContain(`${selected} of`);
});

test("stages are selected by name", () => {
  const staged = { name: "only", stages: ["calm", "climb"] };
  const verdict = verdictOn(count({ stage: ["climb"] }, { op: "equals", value: 1 }), {
    flows: [staged],
    rows: [
      { at: 0, stage: "calm" },
      { at: 1, stage: "climb" },
    ],
  });
  expect(verdict.outcome).toBe("pass");
});

test.each([
  [{ stage: ["hold"] }, 'the run has no stage "hold"'],
  [{ as: ["bob"] }, 'the run has no client "bob"'],
  [{ api: ["stock"] }, 'the run has no API "stock"'],
  [{ endpoint: "GET /stock" }, 'the run has no endpoint "GET /stock"'],
])("%j is an error", (filter, why) => {
  expect(verdictOn(count(filter, none), { rows })).toMatchObject({
    outcome: "error",
    observed: why,
  });
});
