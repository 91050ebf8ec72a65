import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runScenario, ScenarioError } from "#src/library/weir.node.ts";
import { ALGORITHMS, sample } from "../cli/samples.ts";

test("a scenario runs from its text, and has verdicts and histories", async () => {
  const { id, outcome, warnings, variants } = await runScenario(
    { text: ALGORITHMS, file: "scenarios/limits/algorithms.yaml" },
    { seed: 7 },
  );
  expect({ id, outcome, warnings }).toEqual({
    id: "limits/algorithms",
    outcome: "pass",
    warnings: [],
  });
  expect(variants.map(({ name }) => name)).toEqual([
    "algorithm=fixed_window",
    "algorithm=sliding_log",
  ]);
  for (const { verdicts, history, result } of variants) {
    expect(verdicts.length).toBeGreaterThan(0);
    expect(history.header.seed).toBe(7);
    expect(history.requests.length).toBe(result.requests);
  }
});

test("a scenario runs from a file, with the files that it refers to", async () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "one.yaml");
  writeFileSync(file, sample("limits/one"));
  expect(await runScenario({ file })).toMatchObject({ outcome: "pass", variants: [{ name: "" }] });
});

test("only selects variants", async () => {
  const { variants } = await runScenario({ text: ALGORITHMS }, { only: ["*sliding*"] });
  expect(variants.map(({ name }) => name)).toEqual(["algorithm=sliding_log"]);
});

test("a violated expectation is an outcome", async () => {
  const text = sample("limits/one").replace(/equals: .*/, "equals: 1*200");
  expect(await runScenario({ text })).toMatchObject({ outcome: "fail" });
});

test.each([
  [{ file: "missing.yaml" }, {}, "missing.yaml: there is no such file or folder"],
  [{ text: "title: nothing" }, {}, /^scenario\.yaml:\d+:\d+ error SCN-/],
  [{ text: ALGORITHMS }, { only: ["LIM-99"] }, "is called LIM-99"],
])("%j cannot run", async (source, options, problem) => {
  const error = await runScenario(source, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ScenarioError);
  expect((error as ScenarioError).problems[0]).toMatch(problem);
});

test("a seed that the command would reject is rejected", async () => {
  await expect(runScenario({ text: ALGORITHMS }, { seed: 1.5 })).rejects.toThrow(
    "seed is an integer of at least 0, not 1.5",
  );
});
