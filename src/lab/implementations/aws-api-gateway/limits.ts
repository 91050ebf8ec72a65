// How AWS API Gateway counts.
import { micros, SECOND } from "../../../kit/units.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type { ReadRule } from "../reading.ts";

type Counted = Pick<ReadRule, "limit" | "written" | "cost" | "options">;

/** A token bucket. Rates have decimals, so that thousandths of a token are counted. */
export function bucketOf(rate: number, burst: number): Counted {
  const cost = Number.isInteger(rate) ? 1 : 1_000;
  return {
    limit: { rate: Math.round(cost * rate), perUs: SECOND },
    written: `${rate} per 1s, burst ${burst}`,
    cost,
    options: optionsFrom({ algorithm: "gcra", burst: Math.max(1, cost * burst) }),
  };
}

/** In days. */
export const QUOTA_PERIODS: Readonly<Record<string, number>> = { DAY: 1, WEEK: 7, MONTH: 30 };

export const quotaOf = (count: number, days: number): Counted => ({
  limit: { rate: count, perUs: micros(days * 86_400 * SECOND) },
  options: optionsFrom({ algorithm: "fixed_window", fixed_window_start: "clock" }),
});
