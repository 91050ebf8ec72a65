import { formatDuration, micros } from "../../kit/units.ts";
import type { Requests } from "../scenario/history.ts";
import type { Comparison, Measure } from "../scenario/types.ts";
import type { Interval } from "../scenario/verdict.ts";
import { compare, endsOf, formatComparison, formatInterval } from "./interval.ts";
import { errorFinding, evidenceUntil, finding, vacuousIfNothing, type Finding } from "./outcome.ts";
import { hasReachedLimiter, isAboutLimits } from "./rejections.ts";
import { compareRequests, isAdmittedStatus, select, unknownName } from "./select.ts";
import type { CheckSubject } from "./subject.ts";

export function checkMaxInAnyWindow(
  measure: Extract<Measure, { kind: "maxInAnyWindow" }>,
  { history }: CheckSubject,
): Finding {
  const expected = `${formatComparison(measure.comparison)} in any ${formatDuration(measure.windowUs)}`;
  const problem = unknownName(history, measure.filter);
  if (problem !== null) return errorFinding(problem, expected);

  const selected = select(history, measure.filter);
  const offered = isAboutLimits(measure)
    ? selected.filter((row) => hasReachedLimiter(history.requests, row))
    : selected;
  const counted =
    measure.filter.status === null
      ? offered.filter((row) => isAdmittedStatus(history.requests.status[row]!))
      : offered;
  const { most, rows } = fullestWindow(history.requests, counted, measure.windowUs);
  const where =
    rows.length === 0
      ? ""
      : ` in the ${formatDuration(measure.windowUs)} up to ${formatDuration(micros(leaveToUs(history.requests, rows.at(-1)!)))}`;
  const unit = rows.some((row) => history.requests.cost[row]! > 1) ? " units" : "";
  // A run that admitted nothing cannot prove an upper bound, but it can prove an exact number.
  const examined = measure.comparison.op === "equals" ? offered.length : counted.length;
  const outcome = compare(most, measure.comparison);
  const whole = finding(
    outcome,
    `${formatInterval(most)}${unit}${where}`,
    expected,
    examined,
    rows,
  );
  const above = firstAbove(history.requests, rows, measure.comparison);
  const inWindow = above < 0 ? whole : { ...whole, evidence: evidenceUntil(rows, above) };
  // Of units and of other statuses the observed text is the sentence.
  if (outcome !== "fail" || unit !== "" || measure.filter.status !== null)
    return vacuousIfNothing(inWindow);
  const found = { observed: most, offered: offered.length, windowUs: measure.windowUs };
  return { ...inWindow, compared: compareRequests(measure.filter, measure.comparison, found) };
}

/** The index of the first of these rows that is above the maximum; -1: there is none. */
function firstAbove(requests: Requests, rows: readonly number[], comparison: Comparison): number {
  const { most } = endsOf(comparison);
  let units = 0;
  return rows.findIndex((row) => (units += requests.cost[row]!) > (most ?? Infinity));
}

/**
 * The most units in any half-open window (t - window, t]. The lower end counts requests that are certainly in one
 * window together, the upper end requests that may be; with exact times both ends are equal. A request has one unit
 * unless it has a cost (LIM-C19).
 */
export function fullestWindow(
  requests: Requests,
  rows: readonly number[],
  windowUs: number,
): { most: Interval; rows: number[] } {
  const froms = unitsAt(requests, rows, leaveFromUs);
  const tos = unitsAt(requests, rows, leaveToUs);
  let upper = 0;
  let upperEndUs = 0;
  for (let begun = 1, over = 0; begun <= froms.length; begun++) {
    const endUs = froms[begun - 1]!;
    while (over < tos.length && tos[over]! <= endUs - windowUs) over++;
    if (begun - over > upper) [upper, upperEndUs] = [begun - over, endUs];
  }
  const lower = certainlyTogether(requests, rows, windowUs);
  const fullest = rows.filter(
    (row) =>
      leaveFromUs(requests, row) <= upperEndUs && leaveToUs(requests, row) > upperEndUs - windowUs,
  );
  return { most: { from: lower, to: upper }, rows: fullest };
}

/** An admitted request that waits for its turn is counted when it leaves (ALG-C10). */
const leaveFromUs = ({ fromUs, delayUs }: Requests, row: number): number =>
  fromUs[row]! + delayUs[row]!;
const leaveToUs = ({ toUs, delayUs }: Requests, row: number): number => toUs[row]! + delayUs[row]!;

/** The time of each unit, the earliest first. */
function unitsAt(
  requests: Requests,
  rows: readonly number[],
  timeOf: typeof leaveToUs,
): readonly number[] {
  const times = rows.flatMap((row) =>
    Array<number>(requests.cost[row]!).fill(timeOf(requests, row)),
  );
  return times.toSorted((a, b) => a - b);
}

function certainlyTogether(requests: Requests, rows: readonly number[], windowUs: number): number {
  // A request whose span is as long as the window, or longer, is never certainly inside a window.
  const short = rows.filter(
    (row) => leaveToUs(requests, row) - leaveFromUs(requests, row) < windowUs,
  );
  const froms = unitsAt(requests, short, leaveFromUs);
  const tos = unitsAt(requests, short, leaveToUs);
  let lower = 0;
  for (let over = 1, early = 0; over <= tos.length; over++) {
    const endUs = tos[over - 1]!;
    while (early < froms.length && froms[early]! <= endUs - windowUs) early++;
    lower = Math.max(lower, over - early);
  }
  return lower;
}
