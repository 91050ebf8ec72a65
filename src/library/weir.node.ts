// The package's entry `weir`: runs scenarios in virtual time, for programs.
import { driverOf } from "../lab/drivers/by-name.node.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { rulesReaderFor, traceReaderFor } from "../lab/run/scenario-files.node.ts";
import { selectVariants } from "../lab/run/variant-patterns.ts";
import { runsOf } from "../lab/run/pipeline.ts";
import { problemLinesOf } from "../kit/reading/source.ts";
import type { History } from "../lab/scenario/history.ts";
import { decode } from "../lab/scenario/read/decode.ts";
import type { Scenario } from "../lab/scenario/types.ts";
import { worst, type Outcome, type Result, type Verdict } from "../lab/scenario/verdict.ts";
import { requireSeed, ScenarioError } from "./scenario-error.ts";

export { ScenarioError };
export type { History, Outcome, Result, Verdict };

/** A scenario: the path of a file, or a text. With both, `file` names the text; trace files are relative to `file`. */
export type ScenarioSource =
  | { readonly file: string; readonly text?: string }
  | { readonly file?: string; readonly text: string };

export interface RunOptions {
  /** The origin of all randomness, an integer of at least 0. The same seed gives the same histories. The default is 1. */
  readonly seed?: number;
  /** Ids of the scenarios, variants or requirements to run; `*` is any text. The default is all. */
  readonly only?: string | readonly string[];
}

/** One variant: the history of its run, and the verdicts of its expectations. */
export interface VariantRun {
  /** The values of its axes, such as "algorithm=gcra"; empty without a matrix. */
  readonly name: string;
  /** The worst outcome of its verdicts; `vacuous` if it has no expectation. */
  readonly outcome: Outcome;
  readonly verdicts: readonly Verdict[];
  /** Outcome and verdicts together with totals, as `weir run --json` prints them. */
  readonly result: Result;
  /** One row for each request, as columns. Times are microseconds from the start of the run. */
  readonly history: History;
}

export interface ScenarioRunReport {
  readonly id: string;
  readonly title: string;
  /** The worst outcome of the variants. */
  readonly outcome: Outcome;
  /** Warnings about the scenario file, one line each. */
  readonly warnings: readonly string[];
  readonly variants: readonly VariantRun[];
}

/**
 * Runs a scenario in virtual time and checks its expectations. A failed expectation is reported as the outcome `fail`.
 * Rejects with a ScenarioError if the file cannot be read, has an error, or has nothing that `only` selects.
 */
export async function runScenario(
  source: ScenarioSource,
  { seed = 1, only = [] }: RunOptions = {},
): Promise<ScenarioRunReport> {
  requireSeed(seed);
  const { scenario, warnings } = decodeScenario(source);
  const patterns = [only].flat();
  const selected = selectVariants(scenario, patterns);
  if (selected === null)
    throw new ScenarioError([
      `${scenario.file}: no scenario, variant or requirement is called ${patterns.join(" or ")}`,
    ]);
  const variants: VariantRun[] = [];
  const chosen = scenario.variants.filter(({ name }) => selected.has(name));
  for await (const run of runsOf(scenario, chosen, seed, await driverOf("virtual"))) {
    const { variant, result, history } = run;
    const { verdicts } = result;
    // The virtual driver supports every variant, so the outcome is never `unsupported`.
    const outcome = result.outcome as Outcome;
    variants.push({ name: variant.name, outcome, verdicts, result, history });
  }
  return {
    id: scenario.id,
    title: scenario.title,
    outcome: worst(variants.map(({ outcome }) => outcome)),
    warnings,
    variants,
  };
}

function decodeScenario(source: ScenarioSource): {
  readonly scenario: Scenario;
  readonly warnings: readonly string[];
} {
  const file = source.file ?? "scenario.yaml";
  const text = source.text ?? readText(file);
  if (isFailure(text)) throw new ScenarioError(text.problems);
  const { scenario, problems } = decode(file, text, traceReaderFor(file), rulesReaderFor(file));
  const { errors, warnings } = problemLinesOf(problems);
  if (scenario === null) throw new ScenarioError(errors);
  return { scenario, warnings };
}
