// From what was run and judged to what the report says.
import type { History } from "../scenario/history.ts";
import type { Json, Scenario, Variant } from "../scenario/types.ts";
import { OUTCOMES, worst, type Result } from "../scenario/verdict.ts";
import { sequenceChart } from "./in-sequence.ts";
import type { Chart, ExpectationReport, Report, ScenarioReport } from "./model.ts";
import { timeChart, USUAL, type Asked } from "./over-time.ts";

export interface Judged {
  readonly scenario: Scenario;
  readonly runs: readonly {
    readonly variant: Variant;
    readonly history: History;
    readonly result: Result;
  }[];
}

export function buildReport(judged: readonly Judged[], seed: number): Report {
  const scenarios = judged.map(scenarioReport);
  const outcomes = scenarios.flatMap(({ variants }) => variants.map(({ outcome }) => outcome));
  const passed = outcomes.filter((outcome) => outcome === "pass").length;
  const skipped = outcomes.filter((outcome) => outcome === "unsupported").length;
  return {
    format: "weir-report/1",
    seed,
    scenarios,
    footer: {
      scenarios: scenarios.length,
      variants: outcomes.length,
      passed,
      failed: outcomes.length - passed - skipped,
      skipped,
    },
  };
}

function scenarioReport({ scenario, runs }: Judged): ScenarioReport {
  const { id, title, about, file, proves, charts } = scenario;
  const results = runs.map(({ result }) => result);
  const [first] = runs;
  return {
    id,
    title,
    about: about.trim(),
    file,
    proves,
    outcome: outcomeOf(results),
    variants: results.map(({ variant, outcome, requests, refused, virtualUs }) => ({
      name: variant,
      outcome,
      requests,
      refused,
      virtualUs,
    })),
    expectations: expectationsOf(results),
    charts: first === undefined ? [] : chartsOf(first, charts),
  };
}

function outcomeOf(results: readonly Result[]): Result["outcome"] {
  const judged = results.flatMap(({ outcome }) => (outcome === "unsupported" ? [] : [outcome]));
  return judged.length === 0 ? "unsupported" : worst(judged);
}

function expectationsOf(results: readonly Result[]): readonly ExpectationReport[] {
  const found = results.flatMap(({ variant, verdicts }) =>
    verdicts.map((verdict) => ({ variant, verdict })),
  );
  const byId = Map.groupBy(found, ({ verdict }) => verdict.expectation);
  return [...byId].map(([id, group]) => {
    const [first] = group.toSorted(
      (a, b) => OUTCOMES.indexOf(a.verdict.outcome) - OUTCOMES.indexOf(b.verdict.outcome),
    );
    const { verdict, variant } = first!;
    const { line, proves, outcome, observed, expected } = verdict;
    const examined = group.reduce((sum, one) => sum + one.verdict.examined, 0);
    const worst = { variant, observed, expected };
    return { id, line, proves, outcome, variants: group.length, examined, worst };
  });
}

/** Those that the scenario asks for; else bursts as a sequence, and everything that lasts over time. */
function chartsOf(
  { variant, history }: Judged["runs"][number],
  wanted: readonly Json[],
): readonly Chart[] {
  if (history.requests.length === 0) return [];
  if (wanted.length > 0) return wanted.map((chart) => timeChart(history, asked(chart)));
  const isBursts = variant.traffic.every(({ shape }) => shape.kind === "burst");
  const isSmall = history.requests.length <= FEW_REQUESTS;
  const sequence = isBursts || isSmall ? sequenceChart(history) : null;
  return [sequence ?? timeChart(history, USUAL)];
}

const FEW_REQUESTS = 40;

/** The decoder has seen to the fields; here they only get their types back. */
const asked = (chart: Json): Asked => chart as unknown as Asked;
