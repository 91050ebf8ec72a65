// The number of results with each outcome.
import { countText, many, percentText, thousands } from "../../kit/reading/legible.ts";
import type { Result, Verdict } from "../scenario/verdict.ts";

export interface ResultCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly inconclusive: number; // in real time only; in virtual time, inconclusive variants are in `failed`
}

type OutcomeOfDriver = Pick<Result, "outcome" | "driver">;

/** The driver could not run the variant. */
export const isSkipped = ({ outcome }: Pick<Result, "outcome">): boolean =>
  outcome === "unsupported";

/** Real time allows both outcomes, so the variant neither passed nor failed. */
export const isUndecided = ({ outcome, driver }: OutcomeOfDriver): boolean =>
  outcome === "inconclusive" && driver !== "virtual";

export const isGood = (result: OutcomeOfDriver): boolean =>
  result.outcome === "pass" || isSkipped(result) || isUndecided(result);

/** Counts results by outcome. `unlisted` are undecided results that no list allows: they count as failed. */
export function countsOf(
  results: readonly OutcomeOfDriver[],
  unlisted: readonly OutcomeOfDriver[] = [],
): ResultCounts {
  const passed = results.filter(({ outcome }) => outcome === "pass").length;
  const skipped = results.filter(isSkipped).length;
  const inconclusive = results.filter(isUndecided).length - unlisted.length;
  const failed = results.length - passed - skipped - inconclusive;
  return { passed, failed, skipped, inconclusive };
}

/** Results that failed without a contradiction: nothing was examined, or too many decisions are undecided. */
export const countUnproven = (
  results: readonly OutcomeOfDriver[],
): { readonly vacuous: number; readonly inconclusive: number } => ({
  vacuous: results.filter(({ outcome }) => outcome === "vacuous").length,
  inconclusive: results.filter((one) => one.outcome === "inconclusive" && !isUndecided(one)).length,
});

export interface DecisionCounts {
  readonly compared: number;
  readonly open: number; // compared decisions for which the specification allows both outcomes
}

/** Counts the decisions that were compared with the specification, and those that it leaves open. */
export function countDecisions(
  results: readonly { readonly verdicts: readonly Pick<Verdict, "examined" | "open">[] }[],
): DecisionCounts {
  const counts = { compared: 0, open: 0 };
  for (const { verdicts } of results)
    for (const { examined, open } of verdicts) {
      if (open === undefined) continue;
      counts.compared += examined;
      counts.open += open;
    }
  return counts;
}

/** The open decisions as a sentence; null if none is open. */
export function describeOpen(results: readonly Pick<Result, "verdicts">[]): string | null {
  const { compared, open } = countDecisions(results);
  return open === 0
    ? null
    : `${thousands(open)} of ${countText(compared, "compared decision")} ${open === 1 ? "is" : "are"} open (${percentText(open, compared)}): the specification allows both outcomes`;
}

/** A clause with the numbers of vacuous and of inconclusive failures; null if there are none. */
export function describeUnproven(results: readonly OutcomeOfDriver[]): string | null {
  const { vacuous, inconclusive } = countUnproven(results);
  const parts = [
    ...(vacuous === 0 ? [] : [`${many(vacuous, "vacuous variant")} (too little was examined)`]),
    ...(inconclusive === 0
      ? []
      : [
          `${many(inconclusive, "inconclusive variant")} (the timing or the specification allows both outcomes)`,
        ]),
  ];
  return parts.length === 0 ? null : `failed includes ${parts.join(" and ")}`;
}
