// Windows of the clock begin by the gateway's clock (ALG-C3), and the history of a gateway of others has the client's.
import { MILLISECOND } from "../../kit/units.ts";
import { FOREIGN_DRIVER, type HistoryHeader } from "../scenario/history.ts";
import type { OracleConfiguration } from "./configured.ts";
import type { Moment } from "./ledger.ts";
import type { OracleLevel } from "./levels.ts";

/** By how much the clocks of two programs of one machine may differ, as `identify` assumes too. */
export const CLOCKS_DIFFER_US = 20 * MILLISECOND;

/** Of a gateway of others: by how much its clock may differ. Null: the history has the gateway's own times. */
export const clockDifferenceUs = ({ driver, timing }: HistoryHeader): number | null =>
  driver === FOREIGN_DRIVER && timing.kind === "bounded" && !timing.isStamped
    ? (timing.clockUs ?? CLOCKS_DIFFER_US)
    : null;

/** The lengths of the windows among the levels that begin at multiples of their length. */
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

/** By a clock of which nothing is known, any window may be the next or the one before. */
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
