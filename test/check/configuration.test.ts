import { expect, test } from "vitest";
import { errorAt, warningAt } from "../../src/reading/problems.ts";
import type { Measure } from "../../src/scenario/types.ts";
import { judged } from "./judged.ts";

const PROBLEMS = [
  errorAt("LIMIT-PER", ["keys", "alice", "per"], "per is missing"),
  errorAt("PATTERN", ["apis", "orders", "endpoints", 0, "path"], "a bar"),
  warningAt("ALLOWANCE", ["keys", "alice", "allowance"], "differs from rate"),
];

const asked = (
  level: "errors" | "warnings",
  op: "equals" | "contains",
  ...problems: [string, string | null][]
): Measure => ({
  kind: "configuration",
  level,
  op,
  problems: problems.map(([code, path]) => ({ code, path })),
});

test.each([
  [asked("errors", "contains", ["LIMIT-PER", null]), "pass"],
  [asked("errors", "contains", ["PATTERN", "apis.orders.endpoints[0].path"]), "pass"],
  [asked("errors", "contains", ["ALLOWANCE", null]), "fail"],
  [asked("errors", "contains", ["LIMIT-PER", "keys.bob.per"]), "fail"],
  [asked("errors", "equals", ["PATTERN", null], ["LIMIT-PER", "keys.alice.per"]), "pass"],
  [asked("errors", "equals", ["PATTERN", null]), "fail"],
  [asked("errors", "contains", ["PATTERN", null], ["PATTERN", null]), "fail"],
  [asked("warnings", "equals", ["ALLOWANCE", "keys.alice.allowance"]), "pass"],
  [asked("warnings", "equals"), "fail"],
  [asked("warnings", "contains"), "vacuous"],
] as const)("%j is %s", (measure, outcome) => {
  expect(judged(measure, {}, { problems: PROBLEMS, broken: true }).outcome).toBe(outcome);
});

test("no warning at all is another", () => {
  expect(judged(asked("warnings", "equals"), {})).toMatchObject({
    outcome: "pass",
    observed: "no warnings",
  });
});

test("no fault at all is a fact about the world", () => {
  expect(judged(asked("errors", "equals"), {})).toMatchObject({
    outcome: "pass",
    observed: "no errors",
  });
});
