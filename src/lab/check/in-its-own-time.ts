// In real time no request arrives exactly when it was planned. An expectation written for the planned times may then
// fail although the gateway is right. If every decision is one that the specification allows at its real time, the
// expectation is inconclusive. An expectation that must hold at any times, such as an upper bound, stays failed.
import { formatDuration, micros, SECOND, type Micros } from "../../kit/units.ts";
import { entriesOf } from "../oracle/entries.ts";
import { isSmoothed } from "../oracle/levels.ts";
import { worldOf } from "../oracle/world.ts";
import { FOREIGN_DRIVER, REASONS, type History } from "../scenario/history.ts";
import { globMatches } from "../scenario/read/names.ts";
import type { Filter, Measure } from "../scenario/types.ts";
import { agreement } from "./decisions.ts";
import type { Finding } from "./outcome.ts";
import { wrongIn, type WrongHeader } from "./response.ts";
import type { CheckSubject } from "./subject.ts";

const EVERYTHING: Filter = {
  flow: null,
  as: null,
  api: null,
  endpoint: null,
  status: null,
  stage: null,
  during: null,
  from: null,
  gateway: null,
};

export function allowForLateRequests(
  result: Finding,
  measure: Measure,
  subject: CheckSubject,
): Finding {
  const { timing } = subject.history.header;
  if (timing.kind === "exact" || (result.outcome !== "fail" && result.outcome !== "vacuous"))
    return result;
  const { jitterUs } = timing;
  if (!dependsOnThePlan(result, measure, subject, jitterUs) || !isAllowed(subject)) return result;
  return markLate(result, jitterUs);
}

const markLate = (result: Finding, lateUs: Micros): Finding => ({
  ...result,
  outcome: "inconclusive",
  observed: `${result.observed}; requests came up to ${formatDuration(lateUs)} late, and each was decided as the specification allows at its own time`,
});

/** Applies the rule of `allowForLateRequests` to a comparison of several runs, each of which has its own times. */
export function allowForLateRuns(result: Finding, runs: readonly CheckSubject[]): Finding {
  const lateUs = runs.map(({ history: { header } }) =>
    header.timing.kind === "exact" ? 0 : header.timing.jitterUs,
  );
  const mayDiffer = result.outcome === "fail" && lateUs.some((us) => us > 0);
  return mayDiffer && runs.every((run) => run.byClock().some(isAllowed))
    ? markLate(result, micros(Math.max(...lateUs)))
    : result;
}

/** True if request times that differ from the plan could alone explain why the expectation fails. */
function dependsOnThePlan(
  result: Finding,
  measure: Measure,
  subject: CheckSubject,
  lateUs: Micros,
): boolean {
  switch (measure.kind) {
    case "sequence":
      return measure.agreeWith === null;
    case "count":
    case "timeToAdmission":
    case "gaveUp":
    case "sameAs":
      return true;
    case "response": {
      const wrong = wrongIn(measure, subject.history);
      return (
        wrong !== "body" &&
        wrong.every(
          (header) =>
            mayBeLate(header, lateUs) ||
            mayBeSmoothed(header, subject) ||
            isOfItsTime(header, subject),
        )
      );
    }
    case "maxInAnyWindow": // too many are wrong at any time
      return measure.comparison.op !== "atMost" && result.examined > 0;
    case "events":
      return hasOneEventPerRefusal(measure.event, measure.key, subject.history);
    case "gapBetween":
      return measure.comparison.op === "equals";
    case "gauge":
    case "changeOf":
    case "decisions":
    case "quantity":
    case "answer":
    case "deliveries":
    case "configuration":
    case "invariant":
      return false;
  }
}

/** Whether lateness explains a wrong header: a time in a header moves by at most the delay of its request. */
function mayBeLate({ name, wanted, got }: WrongHeader, lateUs: Micros): boolean {
  const [[gotText, gotS], [wantedText, wantedS]] = [secondsIn(name, got), secondsIn(name, wanted)];
  return gotText === wantedText && Math.abs(gotS - wantedS) <= Math.ceil(lateUs / SECOND);
}

/**
 * True if the allowance of a smoothed limit, which depends on earlier request times, may explain the header. A limit
 * without smoothing explains nothing, nor does a response whose headers the oracle does not check.
 */
function mayBeSmoothed({ row, name, wanted, got }: WrongHeader, subject: CheckSubject): boolean {
  const { variant, history } = subject;
  if (name !== "x-ratelimit-limit") return false;
  const world = worldOf(variant, history);
  if (world === null || !isCompared(row, subject)) return false;
  const { levels } = entriesOf(history, world)[row]!;
  return levels
    .filter(isSmoothed)
    .some(({ limit }) =>
      [got, wanted].every(
        (value) =>
          value !== null &&
          Number(value) >= limit.smoothing!.threshold &&
          Number(value) <= limit.rate,
      ),
    );
}

/**
 * True for headers that depend on the times of earlier requests: the remaining budget, and a reset or retry time that
 * is absent because the request costs more than the whole allowance.
 */
const isOfItsTime = ({ row, name, got }: WrongHeader, subject: CheckSubject): boolean =>
  isCompared(row, subject) &&
  (name === "x-ratelimit-remaining" ||
    (got === null && TIMES.has(name) && neverFits(subject.history, row)));

/** Whether a limit header without a reset header shows that the request never fits. Retry-After proves nothing. */
const neverFits = ({ requests }: History, row: number): boolean =>
  !Number.isNaN(requests.limit[row]!) && Number.isNaN(requests.resetUs[row]!);

/** Whether the oracle checks the headers of this row. It does not check those of a foreign gateway. */
const isCompared = (row: number, { history, oracle }: CheckSubject): boolean =>
  history.header.driver !== FOREIGN_DRIVER && (oracle()?.rows[row]?.headers ?? null) !== null;

const TIMES: ReadonlySet<string> = new Set(["retry-after", "x-ratelimit-reset"]);

/** Splits the seconds off the header's text; NaN if the text has none. */
function secondsIn(
  name: string,
  value: WrongHeader["got"],
): readonly [rest: string, seconds: number] {
  const text = String(value);
  if (TIMES.has(name)) return ["", value === null ? Number.NaN : Number(value)];
  const [whole, seconds] = /;t=(\d+)$/.exec(text) ?? [];
  return [text.slice(0, text.length - (whole?.length ?? 0)), Number(seconds ?? Number.NaN)];
}

const REASON_OF_EVENT = { RatelimitExceeded: "rate", QuotaExceeded: "quota" } as const;

/** Whether there are as many events as refused requests. Events of an allowance are checked by the oracle instead. */
function hasOneEventPerRefusal(event: string, key: string | null, history: History): boolean {
  const { requests, header, events } = history;
  return Object.entries(REASON_OF_EVENT).every(([name, reason]) => {
    if (!globMatches(event, name)) return true;
    const isAbout = (row: number): boolean =>
      REASONS[requests.reason[row]!] === reason &&
      (key === null || header.keys[requests.key[row]!] === key);
    const refused = Array.from(requests.reason, (_, row) => row).filter(isAbout).length;
    const emitted = events.filter(
      (candidate) => candidate.event === name && (key === null || candidate.key === key),
    );
    return emitted.length === refused;
  });
}

/** Whether the specification allows every decision at the time at which it was made. */
const isAllowed = (subject: CheckSubject): boolean => {
  const { outcome } = agreement(subject, EVERYTHING);
  return outcome !== "fail" && outcome !== "error";
};
