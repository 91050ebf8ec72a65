// A limit refuses a request: 429, or 403 for a quota. Any other response of the gateway that does not admit the request
// rejects it, and proves nothing about a limit (LIM-C16). An expectation about limits therefore examines only requests
// that reached a limiter.
import { isOfLimit, LIMITER_EVENTS } from "../../limiter/core/events.ts";
import {
  FOREIGN_DRIVER,
  NO_STATUS,
  isLost,
  REASONS,
  type History,
  type DecisionReason,
  type LossReason,
  type Requests,
} from "../scenario/history.ts";
import { parseStatus } from "../scenario/expectation.ts";
import type { Comparison, Filter, Measure } from "../scenario/types.ts";
import { globMatches } from "../scenario/read/names.ts";
import { finding, type Finding } from "./outcome.ts";
import { encodeRuns, formatRuns } from "./runs.ts";
import { select, withoutStatus } from "./select.ts";

export type AnswerKind = "admitted" | "refused" | "rejected" | "lost";

const ANSWER_OF: Readonly<Record<DecisionReason, AnswerKind>> = {
  none: "admitted",
  rate: "refused",
  quota: "refused",
  store: "rejected",
  credential: "rejected",
  access: "rejected",
  state: "rejected",
  path: "rejected",
  message: "rejected",
  unreachable: "lost",
  ended: "lost",
  broken: "lost",
  timeout: "lost",
};

type Reasons = Pick<Requests, "reason">;

const ANSWERS = REASONS.map((reason) => ANSWER_OF[reason]);

export const answerTo = ({ reason }: Reasons, row: number): AnswerKind => ANSWERS[reason[row]!]!;

/** True if a limiter admitted or refused the request. False for a lost request, whose decision no history records. */
export function hasReachedLimiter(requests: Reasons, row: number): boolean {
  const answer = answerTo(requests, row);
  return answer === "admitted" || answer === "refused";
}

/** Statuses that no limit returns, and `NO_STATUS`. 403 is not among them, because a quota also returns it. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 401, 404, 405, 413, 431, 503, NO_STATUS]);

/** True if the statuses include 429 and no status of a rejection: the expectation is about a limit. */
const meansRefusals = (statuses: readonly number[]): boolean =>
  statuses.includes(429) && !statuses.some((status) => REJECTIONS.has(status));

/** True if the pattern matches only events of limits. */
function isLimitEvent(glob: string): boolean {
  const matching = LIMITER_EVENTS.filter((event) => globMatches(glob, event));
  return matching.length > 0 && matching.every(isOfLimit);
}

const LIMIT_HEADERS = /^(?:retry-after|x-ratelimit-.*|ratelimit|ratelimit-policy)$/i;

const isUpperBound = (comparison: Comparison): boolean =>
  (comparison.op === "atMost" && comparison.value > 0) ||
  (comparison.op === "between" && comparison.from === 0 && comparison.to > 0);

/** Whether an expectation is about limits, so that requests which reached no limiter cannot satisfy it. */
export function isAboutLimits(measure: Measure): boolean {
  switch (measure.kind) {
    case "count": {
      const { status } = measure.filter;
      if (status === null) return false;
      // An upper bound on admitted requests is about a limit.
      const isCeiling =
        isUpperBound(measure.comparison) && status.every((each) => each >= 200 && each < 300);
      return isCeiling || meansRefusals(status);
    }
    case "timeToAdmission":
    case "gaveUp":
      return true;
    case "maxInAnyWindow":
      return !namesRejection(measure.filter);
    case "sequence":
      return (
        measure.equals !== null &&
        meansRefusals(measure.equals.map(({ what }) => parseStatus(what)))
      );
    case "response": {
      const { filter, status, headers } = measure;
      if (namesRejection(filter) || (status !== null && mayReject(status))) return false;
      return status === 429 || Object.keys(headers).some((name) => LIMIT_HEADERS.test(name));
    }
    case "events":
    case "gapBetween":
      return isLimitEvent(measure.event);
    case "changeOf":
    case "gauge":
      return measure.gauge === "allowance";
    case "decisions":
    case "quantity":
    case "answer":
    case "deliveries":
    case "configuration":
    case "invariant":
    case "sameAs":
      return false;
  }
}

const mayReject = (status: number): boolean => status === 403 || REJECTIONS.has(status);

const namesRejection = ({ status }: Filter): boolean => status?.some(mayReject) ?? false;

/**
 * A vacuous finding, in place of `result`, if an expectation about limits selected only requests that reached no
 * limiter. Null if `result` is valid.
 */
export function vacuousIfRejected(
  result: Finding,
  measure: Measure,
  history: History,
): Finding | null {
  const isAbout = isAboutLimits(measure) || missesAdmissions(result, measure, history);
  if (result.outcome === "error" || !isAbout) return null;
  const rows = rowsFor(measure, history);
  if (rows.length === 0 || rows.some((row) => hasReachedLimiter(history.requests, row)))
    return null;
  return finding("vacuous", describeRejections(history, rows), result.expected, 0, rows);
}

/** True if a count of admissions failed at a foreign gateway. If it rejected all requests, its limits may be right. */
const missesAdmissions = (
  { outcome }: Finding,
  measure: Measure,
  { header: { driver } }: History,
): boolean =>
  driver === FOREIGN_DRIVER &&
  outcome === "fail" &&
  measure.kind === "count" &&
  measure.filter.status?.every((status) => status < 300) === true;

function rowsFor(measure: Measure, history: History): readonly number[] {
  if ("filter" in measure) return select(history, withoutStatus(measure.filter));
  const { requests, header } = history;
  const all = Array.from({ length: requests.length }, (_, row) => row);
  const key = "key" in measure ? measure.key : null;
  return key === null ? all : all.filter((row) => header.keys[requests.key[row]!] === key);
}

export interface RejectionGroup {
  readonly status: number;
  readonly cause: string;
  readonly rows: readonly [number, ...number[]];
}

/** Rejected rows by status and cause, the most frequent first. */
export const groupRejections = (
  history: History,
  rows: Iterable<number>,
): readonly RejectionGroup[] => groupRows(history, rows, ["rejected"]);

/** Lost rows by cause, the most frequent first. */
export const groupLosses = (history: History): readonly RejectionGroup[] =>
  groupRows(history, history.requests.reason.keys(), ["lost"]);

function groupRows(
  history: History,
  rows: Iterable<number>,
  kinds: readonly AnswerKind[],
): readonly RejectionGroup[] {
  const { requests } = history;
  const groups = new Map<string, { status: number; cause: string; rows: [number, ...number[]] }>();
  for (const row of rows) {
    if (!kinds.includes(answerTo(requests, row))) continue;
    const [status, cause] = [requests.status[row]!, causeOf(history, row)];
    const name = `${status} ${cause}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { status, cause, rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()].toSorted((one, other) => other.rows.length - one.rows.length);
}

const MOST_CAUSES = 3;

/** A text such as "500 of 500 got 403: key app has no access to orders". */
export function describeRejections(history: History, rows: readonly number[]): string {
  const causes = groupRows(history, rows, ["rejected", "lost"]);
  const left = causes.slice(MOST_CAUSES).reduce((sum, each) => sum + each.rows.length, 0);
  return [
    ...causes
      .slice(0, MOST_CAUSES)
      .map(
        ({ rows: { length }, status, cause }) =>
          `${length} of ${rows.length} ${isLost(status) ? "got no response" : `got ${status}`}: ${cause}`,
      ),
    ...(left === 0
      ? []
      : [`${left} more ${left === 1 ? "was" : "were"} rejected or lost otherwise`]),
  ].join("; ");
}

/** The requests that a count excludes: ", and 3 were rejected: 2*401 404, and 5 were lost". */
export function describeExcluded(history: History, rows: readonly number[]): string {
  const lost = countLost(history.requests, rows);
  return `${describeRejected(history, rows)}${lost === 0 ? "" : `, and ${wereText(lost)} lost`}`;
}

/** The lost requests that a count includes: ", 5 of them lost"; empty if none is. */
export function describeLost({ requests }: History, rows: readonly number[]): string {
  const lost = countLost(requests, rows);
  return lost === 0 ? "" : `, ${lost} of them lost`;
}

const countLost = (requests: Reasons, rows: readonly number[]): number =>
  rows.filter((row) => answerTo(requests, row) === "lost").length;

export function describeRejected({ requests }: History, rows: readonly number[]): string {
  const statuses = rows
    .filter((row) => answerTo(requests, row) === "rejected")
    .map((row) => requests.status[row]!)
    .toSorted((a, b) => a - b);
  return statuses.length === 0
    ? ""
    : `, and ${wereText(statuses.length)} rejected: ${formatRuns(encodeRuns(statuses.map(String)))}`;
}

const wereText = (count: number): string => `${count} ${count === 1 ? "was" : "were"}`;

/** Why a request is lost, as text. */
const LOSSES: Readonly<Record<LossReason, string>> = {
  unreachable: "no gateway took the connection",
  ended: "the gateway ended before its response",
  broken: "the connection broke before a response",
  timeout: "the client stopped waiting for a response",
};

/** The cause of a rejection or a loss, as text. */
export function causeOf({ header, requests }: History, row: number): string {
  const flow = header.flows[requests.flow[row]!]!;
  const key = header.keys[requests.key[row]!];
  const api = header.apis[requests.api[row]!] ?? "";
  const reason = REASONS[requests.reason[row]!]!;
  switch (reason) {
    case "path":
      return requests.status[row] === 404
        ? `no API listens at ${flow.path}`
        : `the path ${flow.path} is not acceptable`;
    case "message":
      if (header.driver === FOREIGN_DRIVER && requests.status[row]! >= 500)
        return "an error of the gateway or its upstream";
      return "the gateway does not accept the message, whatever its target";
    case "credential":
      return `${api} needs a key, and flow ${flow.name} sends none`;
    case "access":
      return key === undefined
        ? `no key has the credential of flow ${flow.name}`
        : `key ${key} has no access to ${api}`;
    case "state":
      return requests.status[row] === 401
        ? `key ${key ?? ""} has expired`
        : `key ${key ?? ""}, or a policy of it, is inactive`;
    case "store":
      return "the store did not answer, and on_store_error is deny";
    case "unreachable":
    case "ended":
    case "broken":
    case "timeout":
      return LOSSES[reason];
    case "none":
    case "rate":
    case "quota":
      throw new Error(`row ${row} reached a limiter`);
  }
}
