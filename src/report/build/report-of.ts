// From what was run and judged to what a report says. A scenario's part is made where it was played, so that
// histories stay there.
import { countsOf } from "../../check/counts.ts";
import type { History } from "../../scenario/history.ts";
import type { Json, Scenario, Variant } from "../../scenario/types.ts";
import { worst, type Result, type Verdict } from "../../scenario/verdict.ts";
import { REQUIREMENTS } from "../../spec/requirements.ts";
import {
  REPORT_FORMAT,
  type RunFigure,
  type Report,
  type ScenarioReport,
  type VariantReport,
  type VerdictReport,
} from "../model.ts";
import { sequenceFigure } from "./in-sequence.ts";
import { timeFigure, USUAL, type Asked } from "./over-time.ts";

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
  return {
    id,
    title,
    about: about.trim(),
    file,
    source,
    proves,
    outcome: outcomeOf(runs.map(({ result }) => result)),
    variants: runs.map((run) => variantReport(run, charts)),
  };
}

export function outcomeOf(results: readonly Pick<Result, "outcome">[]): ScenarioReport["outcome"] {
  const judged = results.flatMap(({ outcome }) => (outcome === "unsupported" ? [] : [outcome]));
  return judged.length === 0 ? "unsupported" : worst(judged);
}

function variantReport(run: Judged["runs"][number], charts: readonly Json[]): VariantReport {
  const { history, result } = run;
  const { variant, driver, outcome, requests, refused, undecided, virtualUs } = result;
  return {
    name: variant,
    driver,
    algorithms: [...new Set(history?.header.budgets.map(({ algorithm }) => algorithm))],
    outcome,
    requests,
    refused,
    undecided,
    virtualUs,
    unsupported: result.unsupported,
    verdicts: result.verdicts.map(verdictReport),
    figures: figuresOf(run, charts),
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

/** Those that the scenario asks for; else bursts as a sequence, and everything that lasts over time. */
function figuresOf(
  { variant, history }: Judged["runs"][number],
  wanted: readonly Json[],
): readonly RunFigure[] {
  if (history === null || history.requests.length === 0) return [];
  if (wanted.length > 0) return wanted.map((chart) => timeFigure(history, asked(chart)));
  const isBursts = variant.traffic.every(({ shape }) => shape.kind === "burst");
  const isSmall = history.requests.length <= FEW_REQUESTS;
  const sequence = isBursts || isSmall ? sequenceFigure(history) : null;
  return [sequence ?? timeFigure(history, USUAL)];
}

const FEW_REQUESTS = 40;

/** The decoder has seen to the fields; here they only get their types back. */
const asked = (chart: Json): Asked => chart as unknown as Asked;
