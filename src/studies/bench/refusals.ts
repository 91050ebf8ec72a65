// The share of refused responses, which tables, warnings and comparisons show for a cell. A refusal costs less than a
// response of the upstream, so cells with different shares cannot be compared.
import type { BenchCellResult, BenchRepeat } from "./result.ts";

/** Refusals in per cent of the responses of all repeats: a median could hide some repeats. Null: no response. */
export function percentRefused(
  repeats: readonly Pick<BenchRepeat, "answers" | "metrics">[],
): number | null {
  let [refused, answers] = [0, 0];
  for (const repeat of repeats) {
    const percent = repeat.metrics["refused"];
    if (percent === undefined) continue;
    refused += (percent / 100) * repeat.answers;
    answers += repeat.answers;
  }
  return answers === 0 ? null : (refused / answers) * 100;
}

/** Shares that differ by no more percentage points than this count as equal. */
const EQUAL_PERCENT = 2;

/** Whether two cells refused equal shares. A cell without a response counts as a cell that refused nothing. */
export const hasEqualRefusals = (
  one: Pick<BenchCellResult, "repeats">,
  other: Pick<BenchCellResult, "repeats">,
): boolean => {
  const [ours, theirs] = [one, other].map(({ repeats }) => percentRefused(repeats) ?? 0);
  return Math.abs(ours! - theirs!) <= EQUAL_PERCENT;
};

export function refusalText(percent: number): string {
  if (percent > 0 && percent < 0.1) return "below 0.1 %";
  return `${percent.toFixed(percent > 0 && percent < 10 ? 1 : 0)} %`;
}
