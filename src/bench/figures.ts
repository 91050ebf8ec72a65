// What the sender has seen, as metrics of a repeat.
import { microsToSeconds } from "../core/units.ts";
import { REFUSED, type LoadFigures } from "./load/load.ts";
import type { Repeat } from "./result.ts";
import type { MetricName } from "./suite.ts";

export const perSecondOf = ({ answers, tookUs }: LoadFigures): number =>
  tookUs === 0 ? 0 : answers / microsToSeconds(tookUs);

/** The second digit is all that a limit needs, and two runs are more likely to agree on it. */
export const twoDigits = (value: number): number => Number(value.toPrecision(2));

export const refusedShareOf = ({ answers, statuses }: LoadFigures): number =>
  answers === 0 ? 0 : (statuses[REFUSED] ?? 0) / answers;

export function figuresOf(figures: LoadFigures): Repeat["metrics"] {
  const { answers, latency, sending, cpuUs } = figures;
  if (answers === 0) return {};
  const found: Partial<Record<MetricName, number>> = {
    throughput: perSecondOf(figures),
    refused: refusedShareOf(figures) * 100,
    cpu_load: cpuUs / answers,
  };
  const { all, admitted, refused } = latency;
  if (all !== null) {
    found.p50 = all.p50Us / 1_000;
    found.p99 = all.p99Us / 1_000;
  }
  if (admitted !== null) found.p99_admitted = admitted.p99Us / 1_000;
  if (refused !== null) found.p99_refused = refused.p99Us / 1_000;
  if (sending !== null) {
    found.dropped = sending.planned === 0 ? 0 : (sending.dropped / sending.planned) * 100;
    if (sending.late !== null) found.late = sending.late.p99Us / 1_000;
  }
  return found;
}
