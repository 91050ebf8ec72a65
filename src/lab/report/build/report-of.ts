// Builds a report from runs and verdicts. The part of a scenario is built in the thread that ran it, so that histories
// stay in that thread.
import { countsOf } from "../../check/counts.ts";
import type { History } from "../../scenario/history.ts";
import type { Scenario, Variant } from "../../scenario/types.ts";
import type { Json } from "../../../kit/reading/shape.ts";
import { worst, type Result, type ReportedVerdict } from "../../scenario/verdict.ts";
import { REQUIREMENTS } from "../../../limiter/spec/requirements.ts";
import { REPORT_FORMAT } from "../format.ts";
import type { Report, ScenarioReport, VariantReport, VerdictReport } from "../model.ts";
import { figuresByAlgorithm, workOf, type VariantData } from "./by-algorithm.ts";
import { inWords } from "./in-words.ts";
import { mostEntries, NO_REFUSALS, refusalsOf } from "./refusals.ts";
import { variantFigures } from "./variant-figures.ts";
import { groupRejections } from "../../check/rejections.ts";
import { requestNames } from "../../check/request-names.ts";
import { mergeTables, type MergeTable } from "../../check/merge-table.ts";
import type { MergesReport, MergeTableReport } from "../model-merges.ts";

export interface ReportedRun {
  readonly variant: Variant;
  readonly history: History | null; // null if the variant did not run
  readonly result: Result;
}

export interface ReportedScenario {
  readonly scenario: Scenario;
  readonly runs: readonly ReportedRun[];
}

type Head = Pick<
  Report,
  | "seed"
  | "argv"
  | "startedAt"
  | "tookSeconds"
  | "commit"
  | "versions"
  | "isComplete"
  | "faults"
  | "warnings"
>;

export function reportOf(
  head: Head,
  scenarios: readonly ScenarioReport[],
  digest: (text: string) => string,
): Report {
  const written = {
    format: REPORT_FORMAT,
    ...head,
    requirements: REQUIREMENTS.map(({ id, tier, text, state }) => ({
      id,
      tier,
      text,
      isBuilt: state === "built",
    })),
    scenarios,
  } as const;
  return { ...written, footer: footerOf(written, digest) };
}

/** The footer of a report. Digests depend on the order of fields, so the report must be written in this order. */
export function footerOf(
  { scenarios, ...head }: Omit<Report, "footer">,
  digest: (text: string) => string,
): Report["footer"] {
  const variants = scenarios.flatMap((scenario) => scenario.variants);
  const { passed, failed, skipped } = countsOf(variants);
  return {
    scenarios: scenarios.length,
    variants: variants.length,
    passed,
    failed,
    skipped,
    head: digest(JSON.stringify(head)),
    digests: scenarios.map((scenario) => digest(JSON.stringify(scenario))),
  };
}

export function scenarioReport(
  { scenario, runs }: ReportedScenario,
  source: string,
): ScenarioReport {
  const variants = runs.map(({ variant }) => variant);
  const part = scenarioPart(scenario, variants, source);
  for (const run of runs) part.add(run);
  return part.end();
}

export interface ScenarioPart {
  readonly add: (run: ReportedRun) => void;
  readonly end: () => ScenarioReport;
}

/**
 * Builds the report of runs added one by one, in the order of their variants, without retaining histories. Without
 * `explainsRefusals` it omits the explanations, which take longer than everything else.
 */
export function scenarioPart(
  { id, title, about, file, proves, charts }: Scenario,
  variants: readonly Variant[],
  source: string,
  { explainsRefusals } = { explainsRefusals: true },
): ScenarioPart {
  const { shared, own } = inWords(variants);
  const most = mostEntries(variants.length);
  const data: VariantData[] = [];
  return {
    add: (run) => {
      const { variant, history, result } = run;
      const report = {
        ...variantReport(run, charts),
        words: own[data.length]!,
        refusals:
          history === null
            ? NO_REFUSALS
            : refusalsOf({ variant, history, verdicts: result.verdicts }, most, explainsRefusals),
        merges: history === null ? NO_MERGES : mergesOf(variant, history),
      };
      data.push({ variant, work: history === null ? null : workOf(history), report });
    },
    end: () => {
      const reports = data.map(({ report }) => report);
      return {
        id,
        title,
        about: about.trim(),
        file,
        source,
        proves,
        outcome: outcomeOf(reports),
        figures: figuresByAlgorithm(data),
        words: shared,
        variants: reports,
      };
    },
  };
}

export function outcomeOf(results: readonly Pick<Result, "outcome">[]): ScenarioReport["outcome"] {
  const outcomes = results.flatMap(({ outcome }) => (outcome === "unsupported" ? [] : [outcome]));
  return outcomes.length === 0 ? "unsupported" : worst(outcomes);
}

function variantReport(
  run: ReportedRun,
  charts: readonly Json[],
): Omit<VariantReport, "words" | "refusals" | "merges"> {
  const { variant, history, result } = run;
  const { driver, outcome, requests, admitted, delayed, refused, rejected, lost, losses } = result;
  const { rejections, peak } = result;
  return {
    name: variant.name,
    driver,
    algorithms: [...new Set(history?.header.budgets.map(({ algorithm }) => algorithm))],
    outcome,
    requests,
    admitted,
    delayed,
    refused,
    rejected,
    lost,
    losses,
    rejections,
    peak,
    rejectionCauses: history === null ? [] : rejectionCausesOf(history),
    undecided: result.undecided,
    virtualUs: result.virtualUs,
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
  open,
  evidence,
  evidenceTotal,
  requests,
}: ReportedVerdict): VerdictReport => ({
  expectation,
  line,
  proves,
  outcome,
  observed,
  expected,
  examined,
  ...(open !== undefined && { open }),
  evidence,
  evidenceTotal,
  requests,
});

const MOST_LISTED = 20;

function rejectionCausesOf(history: History): VariantReport["rejectionCauses"] {
  const nameOf = requestNames(history);
  return groupRejections(history, history.requests.reason.keys())
    .slice(0, MOST_LISTED)
    .map(({ status, cause, rows: [first, ...others] }) => ({
      status,
      cause,
      count: others.length + 1,
      first: nameOf(first),
    }));
}

const MOST_TABLES = 20;
const MOST_KEYS = 3;

const NO_MERGES: MergesReport = { tables: [], leftOut: 0 };

function mergesOf(variant: Variant, history: History): MergesReport {
  const tables = mergeTables(variant, history);
  return {
    tables: tables.slice(0, MOST_TABLES).map(tableOf),
    leftOut: Math.max(0, tables.length - MOST_TABLES),
  };
}

const tableOf = ({ keys, rows, ...table }: MergeTable): MergeTableReport => ({
  ...table,
  keys: keys.slice(0, MOST_KEYS),
  moreKeys: Math.max(0, keys.length - MOST_KEYS),
  rows: rows.map(({ policy, from, limit }) => ({
    policy,
    from,
    limit: limit === null ? null : { rate: limit.rate, perUs: limit.perUs },
  })),
});
