import { expect, test } from "vitest";
import { errorAt, warningAt } from "#src/kit/reading/problems.ts";
import type { Measure } from "#src/lab/scenario/types.ts";
import { verdictOn } from "./verdict-on.ts";

const PROBLEMS = [
  errorAt("LIMIT-PER", ["keys", "alice", "per"], "per is missing"),
  errorAt("PATTERN", ["apis", "orders", "endpoints", 0, "path"], "a bar"),
  warningAt("ALLOWANCE", ["keys", "alice", "allowance"], "differs from rate"),
];

const measureOf = (
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
  [measureOf("errors", "contains", ["LIMIT-PER", null]), "pass"],
  [measureOf("errors", "contains", ["PATTERN", "apis.orders.endpoints[0].path"]), "pass"],
  [measureOf("errors", "contains", ["ALLOWANCE", null]), "fail"],
  [measureOf("errors", "contains", ["LIMIT-PER", "keys.bob.per"]), "fail"],
  [measureOf("errors", "equals", ["PATTERN", null], ["LIMIT-PER", "keys.alice.per"]), "pass"],
  [measureOf("errors", "equals", ["PATTERN", null]), "fail"],
  [measureOf("errors", "contains", ["PATTERN", null], ["PATTERN", null]), "fail"],
  [measureOf("warnings", "equals", ["ALLOWANCE", "keys.alice.allowance"]), "pass"],
  [measureOf("warnings", "equals"), "fail"],
  [measureOf("warnings", "contains"), "vacuous"],
] as const)("%j is %s", (measure, outcome) => {
  expect(verdictOn(measure, {}, { problems: PROBLEMS, broken: true }).outcome).toBe(outcome);
});

test('"no warnings" is a fact about the world', () => {
  expect(verdictOn(measureOf("warnings", "equals"), {})).toMatchObject({
    outcome: "pass",
    observed: "no warnings",
  });
});

test('"no errors" is a fact about the world', () => {
  expect(verdictOn(measureOf("errors", "equals"), {})).toMatchObject({
    outcome: "pass",
    observed: "no errors",
  });
});
