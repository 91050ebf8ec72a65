// What results add up to.
import { many } from "../reading/legible.ts";
import type { Result } from "../scenario/verdict.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type Judged = Pick<Result, "outcome" | "driver">;

/** What neither passed nor failed, and need not be shown as if it had. */
export const isSkipped = ({ outcome, driver }: Judged): boolean =>
  outcome === "unsupported" || (outcome === "inconclusive" && driver !== "virtual");

export const isGood = (result: Judged): boolean => result.outcome === "pass" || isSkipped(result);

/** Whatever neither passed nor was skipped has failed: nothing is passed that was not shown. */
export function countsOf(results: readonly Judged[]): Counts {
  const passed = results.filter(({ outcome }) => outcome === "pass").length;
  const skipped = results.filter(isSkipped).length;
  return { passed, failed: results.length - passed - skipped, skipped };
}

/** Failed without being contradicted: nothing was examined, or the timing leaves it open. */
export const countUnproven = (
  results: readonly Judged[],
): { readonly vacuous: number; readonly inconclusive: number } => ({
  vacuous: results.filter(({ outcome }) => outcome === "vacuous").length,
  inconclusive: results.filter((one) => one.outcome === "inconclusive" && !isSkipped(one)).length,
});

/** Why the number of those that failed is larger than that of those that were contradicted; null: it is not. */
export function describeUnproven(results: readonly Judged[]): string | null {
  const { vacuous, inconclusive } = countUnproven(results);
  const parts = [
    ...(vacuous === 0 ? [] : [`${many(vacuous, "vacuous variant")} (too little was examined)`]),
    ...(inconclusive === 0
      ? []
      : [`${many(inconclusive, "inconclusive variant")} (the timing allows both outcomes)`]),
  ];
  return parts.length === 0 ? null : `failed includes ${parts.join(" and ")}`;
}
