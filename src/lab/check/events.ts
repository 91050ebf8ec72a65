import type { Measure } from "../scenario/types.ts";
import { listEvents, rowOf, unknownKey } from "./find-events.ts";
import { compare, exactly, formatComparison } from "./interval.ts";
import { finding, MOST_EVIDENCE, errorFinding, vacuousIfNothing, type Finding } from "./outcome.ts";
import { hasReachedLimiter, isAboutLimits } from "./rejections.ts";
import { encodeRuns, expandRuns, firstDifference, formatRuns } from "./runs.ts";
import type { CheckSubject } from "./subject.ts";

/** Compares the names of events in the order of time, the number of events, or both. */
export function checkEvents(
  measure: Extract<Measure, { kind: "events" }>,
  subject: CheckSubject,
): Finding {
  const { history } = subject;
  const wanted = measure.equals === null ? null : expandRuns(measure.equals);
  const expected = [
    ...(measure.equals === null ? [] : [formatRuns(measure.equals)]),
    ...(measure.count === null ? [] : [`${formatComparison(measure.count)} of ${measure.event}`]),
  ].join(", ");
  const problem = unknownKey(subject, measure.key);
  if (problem !== null) return errorFinding(problem, expected);

  const events = listEvents(history, measure.event, measure.key, measure.during);
  const names = events.map(({ event }) => event);
  const differs = wanted === null ? -1 : firstDifference(names, wanted);
  const counts =
    measure.count === null || compare(exactly(events.length), measure.count) === "pass";
  const observed = wanted === null ? String(events.length) : formatRuns(encodeRuns(names));
  // If no event occurred, the expectation examines the requests that might have caused one.
  const examined = events.length > 0 ? events.length : causes(subject, measure);
  const evidenceFrom = (first: number): number[] =>
    events
      .slice(first, first + MOST_EVIDENCE)
      .map((event) => rowOf(history, event))
      .filter((row) => row >= 0);
  if (differs >= 0) {
    const place = `differs at event ${differs + 1}: expected ${wanted?.[differs] ?? "none"}, got ${names[differs] ?? "none"}`;
    return finding(
      "fail",
      `${observed}; ${place}`,
      expected,
      examined,
      evidenceFrom(Math.max(0, differs - 4)),
    );
  }
  return vacuousIfNothing(
    finding(counts ? "pass" : "fail", observed, expected, examined, evidenceFrom(0)),
  );
}

/** How many requests may have caused an event. Events about limits need a request that reached a limiter (LIM-C16). */
function causes(
  { history: { requests, header } }: CheckSubject,
  measure: Extract<Measure, { kind: "events" }>,
): number {
  const { key } = measure;
  const isAbout = isAboutLimits(measure);
  let count = 0;
  for (let row = 0; row < requests.length; row++) {
    if (key !== null && header.keys[requests.key[row]!] !== key) continue;
    if (!isAbout || hasReachedLimiter(requests, row)) count++;
  }
  return count;
}
