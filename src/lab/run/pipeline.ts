// The main flow: plan, run, check. Commands do what comes before it (read files) and after it (print, render).
import { checkAcross, isAcross, type AcrossVerdict } from "../check/across.ts";
import { explainVariant } from "../check/explain.ts";
import { hintsOf } from "../check/hints.ts";
import { serveClients } from "../check/per-client.ts";
import { requestLabeller } from "../check/request-names.ts";
import { checkSubject } from "../check/run.ts";
import { subjectOf, type CheckSubject } from "../check/subject.ts";
import { totalsOf } from "../check/totals.ts";
import { playOn, type Driver } from "../drivers/driver.ts";
import { isDecided } from "../oracle/expected.ts";
import type { BudgetText, History } from "../scenario/history.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import {
  NO_TOTALS,
  worst,
  type DecidedBy,
  type Result,
  type Verdict,
} from "../scenario/verdict.ts";

export interface VariantHistory {
  readonly variant: Variant;
  readonly history: History;
}

export interface CheckedRun extends VariantHistory {
  readonly result: Result;
}

export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly runs: readonly CheckedRun[];
}

/**
 * Runs and yields one variant after the other, so that the caller can release each history, which may be large. If
 * expectations compare variants, all variants run before any is checked.
 */
export async function* runsOf(
  scenario: Scenario,
  selected: readonly Variant[],
  seed: number,
  driver: Pick<Driver, "apply">,
): AsyncGenerator<CheckedRun, void, undefined> {
  const runVariant = async (variant: Variant): Promise<VariantHistory> => ({
    variant,
    history: await playOn(driver, variant, plan(variant, scenario.id, seed)),
  });
  if (!selected.some(needsOtherVariants)) {
    for (const variant of selected)
      yield* checkHistories(scenario, [await runVariant(variant)]).runs;
    return;
  }
  const histories: VariantHistory[] = [];
  for (const variant of scenario.variants) histories.push(await runVariant(variant));
  for (const run of checkHistories(scenario, histories).runs)
    if (selected.includes(run.variant)) yield run;
}

/** Whether an expectation of the variant compares it with other variants. */
export const needsOtherVariants = ({ expectations }: Variant): boolean =>
  expectations.some(({ measure }) => isAcross(measure));

/** Checks histories of one scenario, new ones or saved ones. */
export function checkHistories(
  scenario: Scenario,
  histories: readonly VariantHistory[],
): ScenarioRun {
  const across = checkAcross(scenario, histories);
  return {
    scenario,
    runs: histories.map(({ variant, history }) => {
      const subject = subjectOf({ variant, history });
      const verdicts = [...checkSubject(subject), ...comparisonsOf(variant, across)];
      return { variant, history, result: resultOf(scenario, subject, verdicts) };
    }),
  };
}

/** The comparisons of a variant. Each is checked once, and its verdict applies to all variants that it compares. */
const comparisonsOf = (
  { name, expectations }: Variant,
  across: readonly AcrossVerdict[],
): AcrossVerdict[] =>
  expectations.flatMap(({ line }) => {
    const ownVerdicts = across.filter(
      (verdict) => verdict.line === line && verdict.variant === name,
    );
    return ownVerdicts.length > 0 ? ownVerdicts : across.filter((verdict) => verdict.line === line);
  });

/** The number of decisions that uncertain times leave open, without those that the specification leaves open. */
function countUndecided({ history, oracle }: CheckSubject): number {
  if (history.header.timing.kind === "exact") return 0;
  const oracleResult = oracle();
  if (oracleResult === null) return 0;
  const { rows, openByText } = oracleResult;
  return rows.filter((expected, row) => !isDecided(expected) && !openByText.has(row)).length;
}

function kindsOf(budgets: readonly BudgetText[]): readonly DecidedBy[] {
  const kinds = budgets.map(({ scope, because }) => ({ scope, because }));
  return [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()];
}

function resultOf(
  { id, file, lists }: Scenario,
  subject: CheckSubject,
  verdicts: readonly Verdict[],
): Result {
  const { name, axes } = subject.variant;
  const { header, requests } = subject.history;
  const called = requestLabeller(subject.history);
  const hints = hintsOf(subject.variant, subject.history);
  const why = explainFailure(subject, verdicts);
  return {
    ...(hints.length === 0 ? {} : { hints }),
    ...(why === undefined ? {} : { why }),
    scenario: id,
    file,
    variant: name,
    axes,
    driver: header.driver,
    seed: header.seed,
    outcome: verdicts.length === 0 ? "vacuous" : worst(verdicts.map(({ outcome }) => outcome)),
    unsupported: [],
    verdicts: verdicts.map((verdict) => ({ ...verdict, requests: verdict.evidence.map(called) })),
    because: [...new Set(header.budgets.flatMap(({ because }) => because))],
    decidedBy: kindsOf(header.budgets),
    ...totalsOf(subject.history),
    ...(lists.includes("clients") && { perClient: serveClients(subject.history.requests) }),
    undecided: countUndecided(subject),
    virtualUs: requests.answeredUs.reduce((latest, us) => Math.max(latest, us), 0),
  };
}

/** With inexact times several responses are possible, so that nothing is explained. */
function explainFailure(
  { variant, history }: CheckSubject,
  verdicts: readonly Verdict[],
): string | undefined {
  const row = verdicts
    .find(({ outcome, evidence }) => outcome === "fail" && evidence.length > 0)
    ?.evidence.at(-1);
  if (row === undefined || history.header.timing.kind !== "exact") return undefined;
  return explainVariant(variant, history, [row]).get(row)?.text;
}

/** The result of a variant that did not run. */
export const resultWithoutHistory = (
  { driver, against, seed }: Pick<Result, "driver" | "seed" | "against">,
  { id, file }: Scenario,
  { name, axes }: Variant,
): Result => ({
  scenario: id,
  file,
  variant: name,
  axes,
  driver,
  ...(against === undefined ? {} : { against }),
  seed,
  outcome: "unsupported",
  unsupported: [],
  verdicts: [],
  because: [],
  decidedBy: [],
  ...NO_TOTALS,
  undecided: 0,
  virtualUs: 0,
});
