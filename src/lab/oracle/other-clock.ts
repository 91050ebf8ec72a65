// Clock windows start by the gateway's clock (ALG-C3), but the history of a foreign gateway has the client's times.
import { MILLISECOND } from "../../kit/units.ts";
import { FOREIGN_DRIVER, type HistoryHeader } from "../scenario/history.ts";
import type { OracleConfiguration } from "./configured.ts";
import type { Moment } from "./ledger.ts";
import type { OracleLevel } from "./levels.ts";

/** Assumed maximum difference of the clocks of two programs on one machine; `identify` assumes the same maximum. */
export const CLOCKS_DIFFER_US = 20 * MILLISECOND;

/** Maximum difference of a foreign gateway's clock from the client's; null if the history has the gateway's times. */
export const clockDifferenceUs = ({ driver, timing }: HistoryHeader): number | null =>
  driver === FOREIGN_DRIVER && timing.kind === "bounded" && !timing.isStamped
    ? (timing.clockUs ?? CLOCKS_DIFFER_US)
    : null;

/** The lengths of the levels' clock windows, which begin at multiples of their length. */
export const clockWindowsUs = (
  levels: readonly OracleLevel[],
  { options: { fixedWindowStart } }: OracleConfiguration,
): readonly number[] =>
  levels
    .filter(
      ({ algorithm, limit }) =>
        Number.isFinite(limit.perUs) &&
        (algorithm === "sliding_window_counter" ||
          (algorithm === "fixed_window" && fixedWindowStart === "clock")),
    )
    .map(({ limit }) => limit.perUs);

/** Widens the range of the timestamp by the clock difference, in each direction by at most the longest window. */
export function byOtherClock(
  moment: Moment,
  header: HistoryHeader,
  windowsUs: readonly number[],
): Moment {
  const differenceUs = clockDifferenceUs(header);
  if (differenceUs === null || windowsUs.length === 0) return moment;
  const us = Math.min(differenceUs, Math.max(...windowsUs));
  return { ...moment, loUs: moment.loUs - us, hiUs: moment.hiUs + us };
}
