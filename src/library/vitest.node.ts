// The package's entry `weir/vitest`: scenario files as tests of another project's suite.
import { describe, test } from "vitest";
import { driverOf } from "../lab/drivers/by-name.node.ts";
import { plainPaint } from "../kit/reading/legible.ts";
import { failureText } from "../show/result-text.ts";
import { selectVariants } from "../lab/run/variant-patterns.ts";
import { needsOtherVariants, runsOf, type CheckedRun } from "../lab/run/pipeline.ts";
import { readScenarios } from "../lab/run/read-scenarios.node.ts";
import type { Scenario, Variant } from "../lab/scenario/types.ts";
import { requireSeed, ScenarioError } from "./scenario-error.ts";
import type { RunOptions } from "./weir.node.ts";

export interface ScenarioTestOptions extends RunOptions {
  /** Milliseconds until the test of a variant fails. The default is 60,000. */
  readonly timeoutMs?: number;
}

/**
 * Adds a test for each variant of the scenario files: files, folders or patterns, relative to the working directory. A
 * test passes only if its outcome is `pass`, as in `weir run`. A file with an error gets one test, which fails; other
 * files run. Throws a ScenarioError, which fails the test file, if `only` selects nothing.
 */
export function testScenarios(
  paths: string | readonly string[],
  { seed = 1, only = [], timeoutMs = 60_000 }: ScenarioTestOptions = {},
): void {
  requireSeed(seed);
  const { scenarios, broken } = readScenarios([paths].flat());
  for (const { file, errors } of broken) {
    const error = errorAtCaller(errors);
    test(`${file ?? "scenario files"} can be read`, () => {
      throw error;
    });
  }
  const patterns = [only].flat();
  const selections = scenarios.map((scenario) => ({
    scenario,
    selected: selectVariants(scenario, patterns),
  }));
  if (broken.length === 0 && selections.every(({ selected }) => selected === null))
    throw errorAtCaller([`no scenario, variant or requirement is called ${patterns.join(" or ")}`]);
  for (const { scenario, selected } of selections) {
    if (selected === null) continue;
    const variants = scenario.variants.filter(({ name }) => selected.has(name));
    describe(scenario.id, () => {
      addTests(scenario, variants, seed, timeoutMs);
    });
  }
}

/** An error whose stack starts at the user's call, because Vitest prints the code at the first line of a stack. */
function errorAtCaller(problems: readonly string[]): ScenarioError {
  const error = new ScenarioError(problems);
  Error.captureStackTrace(error, testScenarios);
  return error;
}

function addTests(
  scenario: Scenario,
  variants: readonly Variant[],
  seed: number,
  timeoutMs: number,
): void {
  // Variants that are compared run together, once for all of their tests.
  let together: Promise<readonly CheckedRun[]> | undefined;
  const runOf = async (variant: Variant): Promise<CheckedRun | undefined> => {
    const runs = variants.some(needsOtherVariants)
      ? await (together ??= runAll(scenario, variants, seed))
      : await runAll(scenario, [variant], seed);
    return runs.find((run) => run.variant === variant);
  };
  for (const variant of variants) {
    const title = variant.name === "" ? scenario.title : variant.name;
    test(title, { timeout: timeoutMs }, async () => {
      const { result } = (await runOf(variant))!;
      if (result.outcome === "pass") return;
      const error = new Error(failureText(result, plainPaint).join("\n"));
      error.stack = `Error: ${error.message}`;
      throw error;
    });
  }
}

const runAll = async (
  scenario: Scenario,
  variants: readonly Variant[],
  seed: number,
): Promise<readonly CheckedRun[]> =>
  Array.fromAsync(runsOf(scenario, variants, seed, await driverOf("virtual")));
