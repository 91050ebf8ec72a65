import type { Measure } from "../scenario/types.ts";
import { compare, exactly, formatComparison, formatInterval } from "./interval.ts";
import { finding, unanswerable, vacuousIfNothing, type Finding } from "./outcome.ts";
import { besideRejections, hasReachedLimiter, isAboutLimits } from "./rejections.ts";
import { select, unknownName, withoutStatus } from "./select.ts";
import type { Subject } from "./subject.ts";

/**
 * Counts responses. A request that was lost may have been any of them, so it widens the count. A
 * sample smaller than `among` asks for makes the count vacuous, whatever it says. A count about limits examines
 * only what reached a limiter (LIM-C16).
 */
export function checkCount(
  measure: Extract<Measure, { kind: "count" }>,
  { history }: Subject,
): Finding {
  const among = measure.among === null ? "" : `, among ${formatComparison(measure.among)}`;
  const expected = `${formatComparison(measure.comparison)}${among}`;
  const stranger = unknownName(history, measure.filter);
  if (stranger !== null) return unanswerable(stranger, expected);

  const all = select(history, withoutStatus(measure.filter));
  const isExamined = (row: number): boolean =>
    !isAboutLimits(measure) || hasReachedLimiter(history.requests, row);
  const rows = select(history, measure.filter).filter(isExamined);
  const offered = all.filter(isExamined).length;
  const counted = { from: rows.length, to: rows.length + history.unanswered };
  const outcome = compare(counted, measure.comparison);
  const beside = offered === all.length ? "" : besideRejections(history, all);
  const observed = `${formatInterval(counted)} of ${offered}${beside}`;
  if (
    outcome !== "fail" &&
    measure.among !== null &&
    compare(exactly(offered), measure.among) !== "pass"
  ) {
    return finding("vacuous", observed, expected, offered);
  }
  return vacuousIfNothing(finding(outcome, observed, expected, offered, rows));
}
