import { expect, test } from "vitest";
import type { Comparison, Measure, Quantity } from "#src/lab/scenario/types.ts";
import { rowsOf } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const quantity = (of: Quantity, comparison: Comparison, status: number | null = null): Measure => ({
  kind: "quantity",
  quantity: of,
  filter: { ...EVERYTHING, status: status === null ? null : [status] },
  comparison,
});
const before: Quantity = { of: "storeCommands", before: "answer", per: "request" };
const inAll: Quantity = { of: "storeCommands", before: "all", per: "request" };
const rows = [
  ...rowsOf("2*200", 0, 1, { commandsBefore: 1, commandsAll: 5 }),
  ...rowsOf("429", 3, 1, { commandsBefore: 1, commandsAll: 4 }),
];

test("each request must satisfy it, not their mean", () => {
  expect(verdictOn(quantity(before, { op: "equals", value: 1 }), { rows })).toMatchObject({
    outcome: "pass",
    observed: "1",
  });
  expect(verdictOn(quantity(inAll, { op: "equals", value: 5 }), { rows })).toMatchObject({
    outcome: "fail",
    observed: "[4, 5]",
    evidence: [2],
  });
  expect(verdictOn(quantity(inAll, { op: "equals", value: 5 }, 200), { rows }).outcome).toBe(
    "pass",
  );
});

test("no request is vacuous", () => {
  expect(verdictOn(quantity(before, { op: "atMost", value: 9 }, 500), { rows }).outcome).toBe(
    "vacuous",
  );
});

test.each([
  [{ of: "storeEntries", per: "peak" }, 12],
  [{ of: "storeEntries", per: "request" }, 4],
  [{ of: "storeBytes", per: "peak" }, 600],
  [{ of: "storeOps", per: "total" }, 9],
  [{ of: "storeOps", per: "request" }, 3],
] as const)("%j is a figure of the whole run", (of, value) => {
  const store = { peakEntries: 12, peakBytes: 600, commands: 9 };
  expect(verdictOn(quantity(of, { op: "equals", value }), { rows, store }).outcome).toBe("pass");
  expect(verdictOn(quantity(of, { op: "atMost", value: value - 1 }), { rows, store }).outcome).toBe(
    "fail",
  );
});

test("a quantity that the history lacks or cannot filter is an error", () => {
  const peakOps: Quantity = { of: "storeOps", per: "peak" };
  const peak: Quantity = { of: "storeEntries", per: "peak" };
  expect(verdictOn(quantity(peakOps, { op: "equals", value: 1 }), { rows }).outcome).toBe("error");
  expect(verdictOn(quantity(peak, { op: "equals", value: 1 }, 200), { rows }).outcome).toBe(
    "error",
  );
});

test("a run may have more requests than a call has arguments", () => {
  const many = rowsOf("300000*200", 0, 0.001, { commandsBefore: 1 });
  expect(verdictOn(quantity(before, { op: "equals", value: 1 }), { rows: many })).toMatchObject({
    outcome: "pass",
    observed: "1",
    examined: 300_000,
  });
});
