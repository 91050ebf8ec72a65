import { many } from "../../kit/reading/legible.ts";
import { formatDuration, micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import { DELAYED, formatStatus } from "../scenario/expectation.ts";
import type { Measure } from "../scenario/types.ts";
import { agreement } from "./decisions.ts";
import { longestAllowedPrefix } from "./order.ts";
import { errorFinding, evidenceUntil, finding, type Finding } from "./outcome.ts";
import { hasReachedLimiter, isAboutLimits } from "./rejections.ts";
import { requestLabeller } from "./request-names.ts";
import { encodeRuns, expandRuns, firstDifference, formatRuns } from "./runs.ts";
import { scenarioTimeUs, select, unknownName, wasDelayed } from "./select.ts";
import type { CheckSubject } from "./subject.ts";

/** Compares statuses in planned order. If decisions overlap, their order is open, and one matching order is enough. */
export function checkSequence(
  measure: Extract<Measure, { kind: "sequence" }>,
  subject: CheckSubject,
): Finding {
  const { history } = subject;
  if (measure.equals === null) return agreement(subject, measure.filter, measure.open);
  const expected = formatRuns(measure.equals);
  const problem = unknownName(history, measure.filter);
  if (problem !== null) return errorFinding(problem, expected);

  const rows = inPlannedOrder(history, select(history, measure.filter));
  const namesDelays = measure.equals.some(({ what }) => what === DELAYED);
  const statuses = rows.map((row) =>
    namesDelays && wasDelayed(history.requests, row)
      ? DELAYED
      : formatStatus(history.requests.status[row]!),
  );
  // All responses are compared, but a sequence about limits needs a response that a limiter decided (LIM-C16).
  const examined = isAboutLimits(measure)
    ? rows.filter((row) => hasReachedLimiter(history.requests, row)).length
    : rows.length;
  const wanted = expandRuns(measure.equals);
  const observed = formatRuns(encodeRuns(statuses));
  const differs = differenceUnderAnyOrder(history, rows, statuses, wanted);
  if (differs < 0)
    return finding(rows.length === 0 ? "vacuous" : "pass", observed, expected, examined, rows);
  const place = placeOf(history, rows, statuses, wanted, differs);
  return finding("fail", `${observed}; ${place}`, expected, examined, evidenceUntil(rows, differs));
}

/** Rows planned for the same time keep their order. */
export const inPlannedOrder = ({ requests }: History, rows: readonly number[]): number[] =>
  rows.toSorted((a, b) => scenarioTimeUs(requests, a) - scenarioTimeUs(requests, b));

/** The index at which statuses differ from `wanted` in every order that the spans allow; -1: an order matches. */
export function differenceUnderAnyOrder(
  history: History,
  rows: readonly number[],
  statuses: readonly string[],
  wanted: readonly string[],
): number {
  const differs = firstDifference(statuses, wanted);
  if (differs < 0 || history.header.timing.kind === "exact") return differs;
  const { fromUs, toUs } = history.requests;
  const placed = rows.map((row, index) => ({
    row,
    fromUs: fromUs[row]!,
    toUs: toUs[row]!,
    what: statuses[index]!,
  }));
  const given = longestAllowedPrefix(placed, wanted);
  return given === wanted.length && wanted.length === statuses.length
    ? -1
    : Math.max(given, differs);
}

function placeOf(
  history: History,
  rows: readonly number[],
  statuses: readonly string[],
  wanted: readonly string[],
  index: number,
): string {
  const got = statuses[index];
  const want = wanted[index];
  if (got === undefined)
    return `ends after ${statuses.length} of ${many(wanted.length, "request")}: expected ${want} next`;
  const row = rows[index]!;
  const at = `at ${requestLabeller(history)(row)} (t=${formatDuration(micros(scenarioTimeUs(history.requests, row)))})`;
  if (want === undefined)
    return `goes on ${at}: expected no more than ${many(wanted.length, "request")}, got ${got}`;
  return `differs ${at}: expected ${want}, got ${got}`;
}
