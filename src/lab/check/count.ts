import { NO_STATUS } from "../scenario/history.ts";
import type { Measure } from "../scenario/types.ts";
import { compare, endsOf, exactly, formatComparison } from "./interval.ts";
import { errorFinding, evidenceUntil, finding, vacuousIfNothing, type Finding } from "./outcome.ts";
import { describeExcluded, describeLost, hasReachedLimiter, isAboutLimits } from "./rejections.ts";
import { compareRequests, select, unknownName, withoutStatus } from "./select.ts";
import type { CheckSubject } from "./subject.ts";

/**
 * Counts requests by their result: a response, or none (LIM-C18). If fewer requests are examined than `among` requires,
 * the count is vacuous. A count about limits examines only requests that reached a limiter (LIM-C16).
 */
export function checkCount(
  measure: Extract<Measure, { kind: "count" }>,
  { history }: CheckSubject,
): Finding {
  const among = measure.among === null ? "" : `, among ${formatComparison(measure.among)}`;
  const expected = `${formatComparison(measure.comparison)}${among}`;
  const problem = unknownName(history, measure.filter);
  if (problem !== null) return errorFinding(problem, expected);

  const all = select(history, withoutStatus(measure.filter));
  const isExamined = (row: number): boolean =>
    !isAboutLimits(measure) || hasReachedLimiter(history.requests, row);
  const rows = select(history, measure.filter).filter(isExamined);
  const offered = all.filter(isExamined).length;
  const outcome = compare(exactly(rows.length), measure.comparison);
  const isOfLost = measure.filter.status?.includes(NO_STATUS) === true;
  const excluded =
    offered === all.length
      ? isOfLost
        ? ""
        : describeLost(history, all)
      : describeExcluded(history, all);
  const observed = `${rows.length} of ${offered}${excluded}`;
  if (
    outcome !== "fail" &&
    measure.among !== null &&
    compare(exactly(offered), measure.among) !== "pass"
  ) {
    return finding("vacuous", observed, expected, offered);
  }
  const whole = finding(outcome, observed, expected, offered, rows);
  const { most } = endsOf(measure.comparison);
  const isAbove = most !== null && rows.length > most;
  const counted = isAbove ? { ...whole, evidence: evidenceUntil(rows, most) } : whole;
  if (outcome !== "fail") return vacuousIfNothing(counted);
  const found = { observed: exactly(rows.length), offered, windowUs: null };
  return { ...counted, compared: compareRequests(measure.filter, measure.comparison, found) };
}
