// From what was run and judged to what a report says. A scenario's part is made where it was played, so that
// histories stay there.
import { countsOf } from "../../check/counts.ts";
import type { History } from "../../scenario/history.ts";
import type { Json, Scenario, Variant } from "../../scenario/types.ts";
import { worst, type Result, type Verdict } from "../../scenario/verdict.ts";
import { REQUIREMENTS } from "../../spec/requirements.ts";
import {
  REPORT_FORMAT,
  type Report,
  type ScenarioReport,
  type VariantReport,
  type VerdictReport,
} from "../model.ts";
import { figuresByAlgorithm } from "./by-algorithm.ts";
import { inWords } from "./in-words.ts";
import { mergesOf, NO_MERGES } from "./merges.ts";
import { mostEntries, NO_REFUSALS, refusalsOf } from "./refusals.ts";
import { variantFigures } from "./variant-figures.ts";

export interface Judged {
  readonly scenario: Scenario;
  readonly runs: readonly {
    readonly variant: Variant;
    readonly history: History | null; // null: it was not played
    readonly result: Result;
  }[];
}

export type Head = Pick<
  Report,
  "seed" | "argv" | "startedAt" | "tookSeconds" | "commit" | "versions" | "isComplete"
>;

export function reportOf(
  head: Head,
  scenarios: readonly ScenarioReport[],
  digest: (text: string) => string,
): Report {
  return {
    format: REPORT_FORMAT,
    ...head,
    requirements: REQUIREMENTS.map(({ id, tier, text, state }) => ({
      id,
      tier,
      text,
      isBuilt: state === "built",
    })),
    scenarios,
    footer: footerOf(scenarios, digest),
  };
}

export function footerOf(
  scenarios: readonly ScenarioReport[],
  digest: (text: string) => string,
): Report["footer"] {
  const variants = scenarios.flatMap((scenario) => scenario.variants);
  return {
    scenarios: scenarios.length,
    variants: variants.length,
    ...countsOf(variants),
    digests: scenarios.map((scenario) => digest(JSON.stringify(scenario))),
  };
}

export function scenarioReport({ scenario, runs }: Judged, source: string): ScenarioReport {
  const { id, title, about, file, proves, charts } = scenario;
  const { shared, own } = inWords(runs.map(({ variant }) => variant));
  const variants = runs.map((run, index) => ({
    ...variantReport(run, charts),
    words: own[index]!,
    refusals:
      run.history === null
        ? NO_REFUSALS
        : refusalsOf(
            { variant: run.variant, history: run.history, verdicts: run.result.verdicts },
            mostEntries(runs.length),
          ),
    merges: run.history === null ? NO_MERGES : mergesOf(run.variant, run.history),
  }));
  return {
    id,
    title,
    about: about.trim(),
    file,
    source,
    proves,
    outcome: outcomeOf(runs.map(({ result }) => result)),
    figures: figuresByAlgorithm(
      runs.map(({ variant, history }, index) => ({ variant, history, report: variants[index]! })),
    ),
    words: shared,
    variants,
  };
}

export function outcomeOf(results: readonly Pick<Result, "outcome">[]): ScenarioReport["outcome"] {
  const judged = results.flatMap(({ outcome }) => (outcome === "unsupported" ? [] : [outcome]));
  return judged.length === 0 ? "unsupported" : worst(judged);
}

function variantReport(
  run: Judged["runs"][number],
  charts: readonly Json[],
): Omit<VariantReport, "words" | "refusals" | "merges"> {
  const { variant, history, result } = run;
  const { driver, outcome, requests, refused, undecided, virtualUs } = result;
  return {
    name: variant.name,
    driver,
    algorithms: [...new Set(history?.header.budgets.map(({ algorithm }) => algorithm))],
    outcome,
    requests,
    refused,
    undecided,
    virtualUs,
    unsupported: result.unsupported,
    verdicts: result.verdicts.map(verdictReport),
    figures: variantFigures(variant, history, charts),
    seed: result.seed,
  };
}

const verdictReport = ({
  expectation,
  line,
  proves,
  outcome,
  observed,
  expected,
  examined,
  evidence,
}: Verdict): VerdictReport => ({
  expectation,
  line,
  proves,
  outcome,
  observed,
  expected,
  examined,
  evidence,
});
