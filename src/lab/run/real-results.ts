// The results of the variants selected for a real-time driver, including those that it could not run.
import { isLoopback } from "../drivers/allowed-target.ts";
import type { Against, Reason } from "../drivers/driver.ts";
import { stretchVariant } from "../drivers/stretch.ts";
import { shellWord } from "../../kit/command-line.ts";
import { scenarioReport } from "../report/build/report-of.ts";
import type { ScenarioReport } from "../report/model.ts";
import type { History } from "../scenario/history.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { worst, type Result, isLeftOpen } from "../scenario/verdict.ts";
import { checkHistories, resultWithoutHistory } from "./pipeline.ts";

export type RealOutcome =
  | { readonly kind: "unsupported"; readonly variant: Variant; readonly reasons: readonly Reason[] }
  | {
      readonly kind: "recorded";
      readonly variant: Variant;
      readonly history: History;
      readonly isStoreLate: boolean;
      /** The factor by which this run was slowed down; unset: the factor of all runs. */
      readonly stretch?: number;
    }
  | { readonly kind: "failed"; readonly variant: Variant; readonly why: string };

interface RealOptions {
  readonly driver: string;
  readonly against?: Against | undefined;
  readonly seed: number;
  readonly stretch: number;
  /** Capabilities or drivers whose absence makes the run fail. */
  readonly required: ReadonlySet<string>;
  readonly hasReport?: boolean;
}

export interface RealReport {
  readonly results: readonly Result[];
  readonly part: ScenarioReport | null; // null if no report is requested or it would be empty
}

/** Reports the selected variants; others ran only for comparison. */
export function reportRealRun(
  options: RealOptions,
  scenario: Scenario,
  selected: ReadonlySet<string>,
  outcomes: readonly RealOutcome[],
  source: string,
): RealReport {
  const stretches = new Map(
    outcomes.map((outcome) => [outcome.variant.name, stretchOf(outcome, options)]),
  );
  // Checks and reports the stretched variants, because those ran.
  const slower = {
    ...scenario,
    variants: scenario.variants.map((variant) =>
      stretchVariant(variant, stretches.get(variant.name) ?? options.stretch),
    ),
  };
  const slowerVariant = ({ name }: Variant): Variant =>
    slower.variants.find((one) => one.name === name)!;
  const histories = outcomes.flatMap((outcome) =>
    outcome.kind === "recorded"
      ? [{ variant: slowerVariant(outcome.variant), history: outcome.history }]
      : [],
  );
  const results = new Map(
    checkHistories(slower, histories).runs.map(({ result }) => [result.variant, result]),
  );
  const runs = outcomes
    .filter(({ variant }) => selected.has(variant.name))
    .map((outcome) => ({
      variant: slowerVariant(outcome.variant),
      history: outcome.kind === "recorded" ? outcome.history : null,
      result: resultOf(options, scenario, outcome, results),
    }));
  const { hasReport = false } = options;
  return {
    results: runs.map(({ result }) => result),
    // A run of a sample of variants selects none in most scenarios.
    part: hasReport && runs.length > 0 ? scenarioReport({ scenario: slower, runs }, source) : null,
  };
}

const stretchOf = (outcome: RealOutcome, { stretch }: RealOptions): number =>
  outcome.kind === "recorded" ? (outcome.stretch ?? stretch) : stretch;

function resultOf(
  options: RealOptions,
  scenario: Scenario,
  outcome: RealOutcome,
  results: ReadonlyMap<string, Result>,
): Result {
  if (outcome.kind === "recorded") {
    const stretch = stretchOf(outcome, options);
    const result = {
      ...results.get(outcome.variant.name)!,
      ...(stretch === 1 ? {} : { stretch }),
      ...gatewayOption(options.against),
    };
    return outcome.isStoreLate ? markInconclusive(result) : result;
  }
  const unsupportedResult = resultWithoutHistory(
    { driver: options.driver, seed: options.seed, ...gatewayOption(options.against) },
    scenario,
    outcome.variant,
  );
  if (outcome.kind === "failed") return errorResult(unsupportedResult, outcome.why);
  const unsupported = outcome.reasons.map(({ text }) => text);
  const missing = new Set(outcome.reasons.map((reason) => reason.missing));
  const required = [...missing].filter((each) => options.required.has(each));
  if (required.length === 0) return { ...unsupportedResult, unsupported };
  const correction = `use --driver virtual, or leave ${required.join(",")} out of --require`;
  return errorResult(
    { ...unsupportedResult, unsupported },
    `${unsupported.join("; ")}: ${correction}`,
  );
}

/** If the store was late, the gateway decided without it, so the run proves nothing about the scenario's world. */
function markInconclusive(result: Result): Result {
  const verdicts = result.verdicts.map((verdict) =>
    verdict.outcome === "pass"
      ? verdict
      : {
          ...verdict,
          outcome: "inconclusive" as const,
          observed: `the store was late: ${verdict.observed}`,
        },
  );
  return {
    ...result,
    verdicts,
    outcome: worst(verdicts.map(({ outcome }) => outcome).concat("inconclusive")),
    undecided: result.requests,
  };
}

/** The factors by which a variant is slowed down in repetitions if the machine was too busy for a verdict. */
export const PATIENCE: readonly number[] = [2, 4, 8];

const countOpen = ({ results }: RealReport): number =>
  results.filter(isLeftOpen).reduce((open, { undecided }) => open + undecided + 1, 0);

const hasFailed = ({ results }: RealReport): boolean =>
  results.some(({ outcome }) => outcome === "fail" || outcome === "error");

export interface Repetition<T> {
  readonly run: (by: number) => Promise<T>;
  readonly isOver: () => boolean;
  /** Whether the verdicts are still decided if requests are slightly late. */
  readonly isDecidable: () => Promise<boolean>;
  readonly patience?: readonly number[];
}

/**
 * Repeats a run, each time slower, while decisions or verdicts are undecided and a slower run may decide them. Returns
 * the run with the fewest undecided decisions and verdicts. A run that fails is returned and not repeated.
 */
export async function runUntilDecided<T extends { readonly report: RealReport }>({
  run,
  isOver,
  isDecidable,
  patience = PATIENCE,
}: Repetition<T>): Promise<{ readonly best: T; readonly before: number }> {
  let best = await run(1);
  let least = countOpen(best.report);
  let before = 0;
  for (const by of patience) {
    if (hasFailed(best.report) || least === 0) break;
    const again = await run(by);
    if (isOver()) break;
    before++;
    const open = countOpen(again.report);
    const isNoBetter = open >= least;
    if (hasFailed(again.report) || open <= least) {
      best = again;
      least = open;
    }
    // If all decisions are exact but a verdict is undecided, it may need an exact instant: no slower run gives that.
    const isExact = again.report.results.every(({ undecided }) => undecided === 0);
    if (isNoBetter && isExact && !(await isDecidable())) break;
  }
  return { best, before };
}

const gatewayOption = (against: Against | undefined): Pick<Result, "against"> =>
  against === undefined
    ? {}
    : {
        against:
          against.kind === "target"
            ? targetOption(new URL(against.url))
            : `--implementation ${shellWord(against.name)}`,
      };

/** The target's flags for a command that repeats the run: each command has to allow a remote host. */
const targetOption = ({ href, hostname }: URL): string =>
  `--target ${shellWord(href)}${isLoopback(hostname) ? "" : ` --allow-target ${shellWord(hostname)}`}`;

const errorResult = (result: Result, why: string): Result => ({
  ...result,
  outcome: "error",
  verdicts: [
    {
      expectation: "the scenario runs",
      line: 1,
      proves: [],
      outcome: "error",
      observed: why,
      expected: "a history",
      examined: 0,
      evidence: [],
      evidenceTotal: 0,
      requests: [],
    },
  ],
});
