// In real time no request arrives exactly when it was planned. An expectation written for the planned times may then fail
// although the gateway is right. If every decision is one that the specification allows at its real time, the
// expectation is inconclusive. Expectations that hold at any times, such as a bound from above, stay failed.
import { formatDuration, micros, type Micros } from "../core/units.ts";
import { REASONS, type History } from "../scenario/history.ts";
import { globMatches } from "../scenario/read/names.ts";
import type { Filter, Measure } from "../scenario/types.ts";
import { agreement } from "./decisions.ts";
import { explainsHeaders } from "./late-headers.ts";
import type { Finding } from "./outcome.ts";
import { wrongIn } from "./response.ts";
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

/** The same if one run is compared with another: each has times of its own. */
export function allowForLateRuns(result: Finding, runs: readonly CheckSubject[]): Finding {
  const lateUs = runs.map(({ history: { header } }) =>
    header.timing.kind === "exact" ? 0 : header.timing.jitterUs,
  );
  const mayDiffer = result.outcome === "fail" && lateUs.some((us) => us > 0);
  return mayDiffer && runs.every((run) => run.byClock().some(isAllowed))
    ? markLate(result, micros(Math.max(...lateUs)))
    : result;
}

/** True if other times alone could have made the difference. */
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
      const isAnyStatus = measure.status === null && measure.filter.status === null;
      return wrong !== "body" && wrong.every(explainsHeaders(subject, lateUs, isAnyStatus));
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

const REASON_OF_EVENT = { RatelimitExceeded: "rate", QuotaExceeded: "quota" } as const;

/** The oracle checks steps of an allowance; each refusal that a client got has one event. */
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

/** Whether every decision is one that the specification allows at the time at which it was made. */
const isAllowed = (subject: CheckSubject): boolean => {
  const { outcome } = agreement(subject, EVERYTHING);
  return outcome !== "fail" && outcome !== "error";
};
