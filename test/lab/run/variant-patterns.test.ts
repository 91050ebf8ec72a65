import { expect, test } from "vitest";
import { matchingPatterns, selectVariants } from "#src/lab/run/variant-patterns.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { ALGORITHMS } from "../../cli/samples.ts";

const { scenario } = decode("scenarios/limits/algorithms.yaml", ALGORITHMS);
const [fixed, log] = ["algorithm=fixed_window", "algorithm=sliding_log"];

test.each([
  ["limits/algorithms", [fixed, log]],
  ["limits/*", [fixed, log]],
  ["*", [fixed, log]],
  ["LIM-1", [fixed, log]],
  ["LIM-*", [fixed, log]],
  ["*sliding*", [log]],
  ["limits/algorithms algorithm=fixed_window", [fixed]],
  ["algorithm=fixed_window", [fixed]],
  ["limits", null],
  ["limits/algorithm.", null],
  ["LIM-2", null],
  ["", null],
])("%s means %j", (only, names) => {
  if (scenario === null) throw new Error("the sample has a fault");
  const selected = selectVariants(scenario, [only]);
  expect(selected === null ? null : [...selected]).toEqual(names);
});

test("several patterns select what any of them selects, and none selects everything", () => {
  if (scenario === null) throw new Error("the sample has a fault");
  const several = ["LIM-2", "*sliding*", "*fixed*"];
  expect([...(selectVariants(scenario, several) ?? [])]).toEqual([log, fixed]);
  expect(matchingPatterns(scenario, several)).toEqual(["*sliding*", "*fixed*"]);
  expect([...(selectVariants(scenario, []) ?? [])]).toEqual([fixed, log]);
});
