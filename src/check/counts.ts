// The number of results with each outcome.
import { many } from "../reading/legible.ts";
import type { Result } from "../scenario/verdict.ts";

export interface ResultCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type OutcomeOfDriver = Pick<Result, "outcome" | "driver">;

/** Neither passed nor failed. */
export const isSkipped = ({ outcome, driver }: OutcomeOfDriver): boolean =>
  outcome === "unsupported" || (outcome === "inconclusive" && driver !== "virtual");

export const isGood = (result: OutcomeOfDriver): boolean =>
  result.outcome === "pass" || isSkipped(result);

/** Everything that neither passed nor was skipped counts as failed: only shown results pass. */
export function countsOf(results: readonly OutcomeOfDriver[]): ResultCounts {
  const passed = results.filter(({ outcome }) => outcome === "pass").length;
  const skipped = results.filter(isSkipped).length;
  return { passed, failed: results.length - passed - skipped, skipped };
}

/** Failed without a contradiction: nothing was examined, or the timing allows both outcomes. */
export const countUnproven = (
  results: readonly OutcomeOfDriver[],
): { readonly vacuous: number; readonly inconclusive: number } => ({
  vacuous: results.filter(({ outcome }) => outcome === "vacuous").length,
  inconclusive: results.filter((one) => one.outcome === "inconclusive" && !isSkipped(one)).length,
});

/** Why more results failed than were contradicted; null if none did. */
export function describeUnproven(results: readonly OutcomeOfDriver[]): string | null {
  const { vacuous, inconclusive } = countUnproven(results);
  const parts = [
    ...(vacuous === 0 ? [] : [`${many(vacuous, "vacuous variant")} (too little was examined)`]),
    ...(inconclusive === 0
      ? []
      : [`${many(inconclusive, "inconclusive variant")} (the timing allows both outcomes)`]),
  ];
  return parts.length === 0 ? null : `failed includes ${parts.join(" and ")}`;
}
