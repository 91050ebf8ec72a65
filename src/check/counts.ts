// What results add up to.
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
