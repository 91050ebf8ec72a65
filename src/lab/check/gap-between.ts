import { formatDuration, micros } from "../../kit/units.ts";
import type { HistoryEvent } from "../scenario/history.ts";
import type { Measure } from "../scenario/types.ts";
import { type Outcome, worst } from "../scenario/verdict.ts";
import { listEvents, rowOf, unknownKey } from "./find-events.ts";
import { compare, formatComparison, formatInterval, rangeOf } from "./interval.ts";
import { finding, MOST_EVIDENCE, errorFinding, type Finding } from "./outcome.ts";
import type { CheckSubject } from "./subject.ts";

const inWords = (us: number): string => formatDuration(micros(us));

/** Checks the time between neighbouring events of one budget, by the clock of the gateway that emitted them. */
export function checkGapBetween(
  measure: Extract<Measure, { kind: "gapBetween" }>,
  subject: CheckSubject,
): Finding {
  const { history } = subject;
  const expected = formatComparison(measure.comparison, inWords);
  const problem = unknownKey(subject, measure.key);
  if (problem !== null) return errorFinding(problem, expected);

  const { timing } = history.header;
  // The clocks of two gateways are known only within the driver's uncertainty.
  const uncertainUs = (a: HistoryEvent, b: HistoryEvent): number =>
    timing.kind === "exact" || a.gateway === b.gateway ? 0 : timing.maxUs;
  const gaps = pairs(listEvents(history, measure.event, measure.key)).map(([a, b]) => {
    const gapUs = b.stampUs - a.stampUs;
    const interval = { from: gapUs - uncertainUs(a, b), to: gapUs + uncertainUs(a, b) };
    return { interval, event: b, outcome: compare(interval, measure.comparison) };
  });
  if (gaps.length === 0) return finding("vacuous", "no two events", expected, 0);

  const outcome: Outcome = worst(gaps.map((gap) => gap.outcome));
  const range = {
    from: rangeOf(gaps.map((gap) => gap.interval.from)).from,
    to: rangeOf(gaps.map((gap) => gap.interval.to)).to,
  };
  const evidence = gaps
    .filter((gap) => gap.outcome === outcome)
    .slice(0, MOST_EVIDENCE)
    .map((gap) => rowOf(history, gap.event))
    .filter((row) => row >= 0);
  return finding(
    outcome,
    `gaps of ${formatInterval(range, inWords)}`,
    expected,
    gaps.length,
    evidence,
  );
}

function pairs(events: readonly HistoryEvent[]): [HistoryEvent, HistoryEvent][] {
  const last = new Map<string, HistoryEvent>();
  const result: [HistoryEvent, HistoryEvent][] = [];
  for (const event of events) {
    const about = JSON.stringify([event.key, event.budget]);
    const before = last.get(about);
    if (before !== undefined) result.push([before, event]);
    last.set(about, event);
  }
  return result;
}
