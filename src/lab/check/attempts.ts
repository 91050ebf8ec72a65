// Checks whether requests were admitted after all their attempts, and after how long. A history has no ids of requests,
// but all attempts of one request have the same flow, client and planned time, and at most one of them is admitted.
// Requests with the same three values need not be distinguished, because they are only counted.
import { formatDuration, micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { Filter, Measure } from "../scenario/types.ts";
import { worst, type Interval } from "../scenario/verdict.ts";
import { compare, exactly, formatComparison, formatInterval, rangeOf } from "./interval.ts";
import { finding, errorFinding, vacuousIfNothing, type Finding } from "./outcome.ts";
import { answerTo, describeLost, describeRejected } from "./rejections.ts";
import { select, unknownName } from "./select.ts";
import type { CheckSubject } from "./subject.ts";

interface AttemptGroup {
  readonly requests: number;
  readonly admitted: readonly number[]; // rows of admitted attempts
  readonly last: readonly number[]; // rows of the last attempts of requests that were never admitted
  readonly all: readonly number[]; // rows of all attempts, including rejected ones
}

function attemptsAt(history: History, filter: Filter): AttemptGroup {
  const { requests } = history;
  const { attempt, flow, client, plannedUs } = requests;
  const rowsOf = new Map<string, number[]>();
  const nameOf = (row: number): string => `${flow[row]} ${client[row]} ${plannedUs[row]}`;
  // The filter applies to first attempts: the scenario file does not state when a retry is sent.
  for (const row of select(history, filter)) if (attempt[row] === 0) rowsOf.set(nameOf(row), []);
  for (let row = 0; row < requests.length; row++) rowsOf.get(nameOf(row))?.push(row);
  const groups = [...rowsOf.values()];
  const limited = groups
    .filter((rows) => rows.some((row) => answerTo(requests, row) !== "rejected"))
    .map((rows) => {
      const first = rows.filter((row) => attempt[row] === 0).length;
      const admitted = rows.filter((row) => answerTo(requests, row) === "admitted");
      const never = Math.max(0, first - admitted.length);
      const last = rows
        .filter((row) => answerTo(requests, row) !== "admitted")
        .toSorted((a, b) => attempt[b]! - attempt[a]!)
        .slice(0, never);
      return { first, admitted, last };
    });
  return {
    requests: limited.reduce((sum, { first }) => sum + first, 0),
    admitted: limited.flatMap(({ admitted }) => admitted),
    last: limited.flatMap(({ last }) => last),
    all: groups.flat(),
  };
}

/** Counts requests that were never admitted: the client gave up after a refusal, or the request was lost. */
export function checkGaveUp(
  { filter, comparison }: Extract<Measure, { kind: "gaveUp" }>,
  { history }: CheckSubject,
): Finding {
  const expected = formatComparison(comparison);
  const problem = unknownName(history, filter);
  if (problem !== null) return errorFinding(problem, expected);
  const { requests, last, all } = attemptsAt(history, filter);
  const observed = `${last.length} of ${requests}${describeLost(history, last)}${describeRejected(history, all)}`;
  return vacuousIfNothing(
    finding(compare(exactly(last.length), comparison), observed, expected, requests, last),
  );
}

const inWords = (us: number): string => formatDuration(micros(us));

/** A request that is never admitted has an infinite time: percentiles of admitted requests alone look too good. */
export function checkTimeToAdmission(
  { filter, percentile, comparison }: Extract<Measure, { kind: "timeToAdmission" }>,
  { history }: CheckSubject,
): Finding {
  const which = percentile === null ? "" : ` at percentile ${percentile}`;
  const expected = `${formatComparison(comparison, inWords)}${which}`;
  const problem = unknownName(history, filter);
  if (problem !== null) return errorFinding(problem, expected);
  const { requests, admitted, last, all } = attemptsAt(history, filter);
  if (requests === 0) return finding("vacuous", "no request", expected, 0, all);
  const { timing } = history.header;
  const lateUs = timing.kind === "exact" ? 0 : timing.jitterUs;
  const { plannedUs, answeredUs } = history.requests;
  const waits = [
    ...admitted.map((row) => {
      const us = answeredUs[row]! - plannedUs[row]!;
      return { row, interval: { from: Math.max(0, us - lateUs), to: us } };
    }),
    ...last.map((row) => ({ row, interval: { from: Infinity, to: Infinity } })),
  ];
  const intervals = waits.map(({ interval }) => interval);
  const atPercentile = percentile === null ? null : percentileOf(intervals, percentile);
  const range = atPercentile ?? {
    from: rangeOf(intervals.map(({ from }) => from)).from,
    to: rangeOf(intervals.map(({ to }) => to)).to,
  };
  const outcomes = waits.map(({ interval }) => compare(interval, comparison));
  const outcome = atPercentile === null ? worst(outcomes) : compare(atPercentile, comparison);
  const evidence = waits.filter((_, index) => outcomes[index] === outcome).map(({ row }) => row);
  const times = percentile === null ? "times of " : "";
  const observed = `${times}${formatInterval(range, inWords)}${which}; ${last.length} of ${requests} never admitted`;
  return finding(outcome, observed, expected, requests, evidence);
}

/** Uses the nearest rank, so that each end of the result is an observed value. */
function percentileOf(intervals: readonly Interval[], percentile: number): Interval {
  const at = Math.max(0, Math.ceil((percentile / 100) * intervals.length) - 1);
  const endAtRank = (end: keyof Interval): number =>
    intervals.map((interval) => interval[end]).toSorted((a, b) => (a === b ? 0 : a - b))[at]!;
  return { from: endAtRank("from"), to: endAtRank("to") };
}
