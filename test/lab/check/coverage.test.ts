// What counts for a requirement, and which ways to a limit the scenarios reached.
import { expect, test } from "vitest";
import {
  coverage,
  coverageProblems,
  pathProblems,
  listReachedPaths,
} from "#src/lab/check/coverage.ts";
import type { Requirement } from "#src/limiter/spec/requirements.ts";
import { variantOf } from "../../histories/world.ts";

const requirement = (id: string, state: Requirement["state"]): Requirement => ({
  id,
  section: "",
  tier: "required",
  state,
  text: "",
});

/** Each variant by the ids that its expectations prove. */
const scenario = (id: string, variants: readonly (readonly (readonly string[])[])[]) => ({
  id,
  variants: variants.map((expectations) => ({
    ...variantOf(),
    expectations: expectations.map((proves, line) => ({
      id: "",
      line,
      proves,
      measure: { kind: "invariant", rule: "responses" } as const,
    })),
  })),
});

test("a scenario counts for what one of its expectations proves, once for each such variant", () => {
  const scenarios = [
    scenario("a", [[["LIM-1"], ["LIM-2"]], [["LIM-2"]], [["LIM-1", "LIM-2"]]]),
    scenario("b", [[["LIM-2"]]]),
    scenario("c", [[["LIM-3"]]]),
  ];
  const covers = coverage(
    ["LIM-1", "LIM-2", "LIM-4"].map((id) => requirement(id, "built")),
    scenarios,
  );
  expect(covers.map((one) => [one.requirement.id, one.scenarios, one.variants])).toEqual([
    ["LIM-1", ["a"], 2],
    ["LIM-2", ["a", "b"], 4],
    ["LIM-4", [], 0],
  ]);
});

test.each([
  ["built", ["a"], []],
  ["planned", [], []],
  ["planned", ["a", "b"], ["LIM-1 is planned, but a proves it: make it built"]],
  [
    "built",
    [],
    ["LIM-1 (required) is built, but no scenario proves it: write one, or make it planned"],
  ],
] as const)("a requirement that is %s and proved by %j: %j", (state, scenarios, faults) => {
  const covers = [{ requirement: requirement("LIM-1", state), scenarios, variants: 1 }];
  expect(coverageProblems(covers)).toEqual(faults);
});

test("a limit that decided a request was reached, and one without the store by both its marks", () => {
  const resultOf = (scenario: string, ...groups: readonly (readonly string[])[]) => ({
    scenario,
    decidedBy: groups.map((because) => ({ scope: "key" as const, because })),
  });
  const results = [
    resultOf("a", ["LIM-1"], ["LIM-1", "ALG-C8"]),
    resultOf("b", ["LIM-1", "LIM-11"], ["LIM-1"]),
    resultOf("c", ["unknown"], ["unknown", "ALG-C8"]),
  ];
  const marks = listReachedPaths([["LIM-1"], ["LIM-1", "LIM-11"], ["LIM-7"]], "ALG-C8", results);
  expect(marks).toEqual([
    { ids: "LIM-1", scenarios: ["a", "b"] },
    { ids: "LIM-1 LIM-11", scenarios: ["b"] },
    { ids: "LIM-7", scenarios: [] },
    { ids: "ALG-C8", scenarios: ["a", "c"] },
  ]);
  expect(pathProblems(marks)).toEqual([
    "the core limits requests because of LIM-7, but no scenario has a request that such a limit decides",
  ]);
});
