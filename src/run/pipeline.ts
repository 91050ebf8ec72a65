// The main flow: plan, play, check. What comes before (reading files) and after (printing, drawing) is
// the business of the commands.
import { checkAcross, isAcross, type AcrossVerdict } from "../check/across.ts";
import { hintsOf } from "../check/hints.ts";
import { requestsCalled } from "../check/request-names.ts";
import { checkSubject } from "../check/run.ts";
import { subjectOf, type Subject } from "../check/subject.ts";
import { totalsOf } from "../check/totals.ts";
import { playOn, type Driver } from "../drivers/driver.ts";
import { isDecided } from "../oracle/expected.ts";
import type { BudgetText, History } from "../scenario/history.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { worst, type DecidedBy, type Result, type Verdict } from "../scenario/verdict.ts";

export interface Played {
  readonly variant: Variant;
  readonly history: History;
}

export interface Run extends Played {
  readonly result: Result;
}

export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly runs: readonly Run[];
}

/**
 * One after the other, so that whoever takes them need not keep them: a history is as long as its traffic. Only a
 * scenario that compares its variants plays all of them, and judges them when it has.
 */
export async function* runsOf(
  scenario: Scenario,
  meant: readonly Variant[],
  seed: number,
  driver: Pick<Driver, "apply">,
): AsyncGenerator<Run, void, undefined> {
  const playOne = async (variant: Variant): Promise<Played> => ({
    variant,
    history: await playOn(driver, variant, plan(variant, scenario.id, seed)),
  });
  if (!meant.some(compares)) {
    for (const variant of meant) yield* judged(scenario, [await playOne(variant)]).runs;
    return;
  }
  const played: Played[] = [];
  for (const variant of scenario.variants) played.push(await playOne(variant));
  for (const run of judged(scenario, played).runs) if (meant.includes(run.variant)) yield run;
}

/** Whether the variant is judged by what the others come to. */
export const compares = ({ expectations }: Variant): boolean =>
  expectations.some(({ measure }) => isAcross(measure));

/** Whatever was played, now or long ago, of one scenario. */
export function judged(scenario: Scenario, played: readonly Played[]): ScenarioRun {
  const across = checkAcross(scenario, played);
  return {
    scenario,
    runs: played.map(({ variant, history }) => {
      const subject = subjectOf({ variant, history });
      const verdicts = [...checkSubject(subject), ...compared(variant, across)];
      return { variant, history, result: resultOf(scenario, subject, verdicts) };
    }),
  };
}

/** A comparison is judged once for the variants that it compares, and speaks for each of them. */
const compared = (
  { name, expectations }: Variant,
  across: readonly AcrossVerdict[],
): AcrossVerdict[] =>
  expectations.flatMap(({ line }) => {
    const judgedHere = across.filter(
      (verdict) => verdict.line === line && verdict.variant === name,
    );
    return judgedHere.length > 0 ? judgedHere : across.filter((verdict) => verdict.line === line);
  });

/** What the times leave open, and not the text. */
function undecidedIn({ history, oracle }: Subject): number {
  if (history.header.timing.kind === "exact") return 0;
  const judgement = oracle();
  if (judgement === null) return 0;
  const { rows, openByText } = judgement;
  return rows.filter((expected, row) => !isDecided(expected) && !openByText.has(row)).length;
}

function kindsOf(budgets: readonly BudgetText[]): readonly DecidedBy[] {
  const kinds = budgets.map(({ scope, because }) => ({ scope, because }));
  return [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()];
}

function resultOf({ id, file }: Scenario, subject: Subject, verdicts: readonly Verdict[]): Result {
  const { name, axes } = subject.variant;
  const { header, requests } = subject.history;
  const called = requestsCalled(subject.history);
  const hints = hintsOf(subject.variant, subject.history);
  return {
    ...(hints.length === 0 ? {} : { hints }),
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
    undecided: undecidedIn(subject),
    virtualUs: requests.answeredUs.reduce((latest, us) => Math.max(latest, us), 0),
  };
}
