import type { Measure } from "../scenario/types.ts";
import { compare, exactly, formatComparison, formatInterval } from "./interval.ts";
import { finding, errorFinding, vacuousIfNothing, type Finding } from "./outcome.ts";
import { describeExcluded, hasReachedLimiter, isAboutLimits } from "./rejections.ts";
import { select, unknownName, withoutStatus } from "./select.ts";
import type { CheckSubject } from "./subject.ts";

/**
 * Counts responses. A lost request may have had any response, so it widens the count. A sample smaller than `among`
 * makes the count vacuous, whatever its result. A count about limits examines
 * only what reached a limiter (LIM-C16).
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
  const counted = { from: rows.length, to: rows.length + history.unanswered };
  const outcome = compare(counted, measure.comparison);
  const rejected = offered === all.length ? "" : describeExcluded(history, all);
  const observed = `${formatInterval(counted)} of ${offered}${rejected}`;
  if (
    outcome !== "fail" &&
    measure.among !== null &&
    compare(exactly(offered), measure.among) !== "pass"
  ) {
    return finding("vacuous", observed, expected, offered);
  }
  return vacuousIfNothing(finding(outcome, observed, expected, offered, rows));
}
