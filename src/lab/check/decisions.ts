// Agreement with the oracle: each decision must be one that the specification allows.
import { formatDuration, micros } from "../../kit/units.ts";
import { isDecided, type Expected, type OracleResults } from "../oracle/expected.ts";
import { whyNoOracle } from "../oracle/world.ts";
import { percentText } from "../../kit/reading/legible.ts";
import { MOST_OPEN_SHARE, type OpenBound } from "../scenario/expectation.ts";
import { FOREIGN_DRIVER, isLost, REASONS, type History } from "../scenario/history.ts";
import type { Filter } from "../scenario/types.ts";
import type { Outcome } from "../scenario/verdict.ts";
import { headerDisagreement } from "./limit-headers.ts";
import { finding, errorFinding, type Finding } from "./outcome.ts";
import { describeExcluded } from "./rejections.ts";
import { requestLabeller } from "./request-names.ts";
import { scenarioTimeUs, select, unknownName } from "./select.ts";
import type { CheckSubject } from "./subject.ts";

const AGREES = "what the specification allows";

/** `bound` is from the scenario file; if it is unset, `MOST_OPEN_SHARE` applies. */
export function agreement(subject: CheckSubject, filter: Filter, bound?: OpenBound): Finding {
  const { history } = subject;
  const expected =
    bound === undefined || isForeign(history) ? AGREES : `${AGREES}, with ${boundText(bound)}`;
  const problem = unknownName(history, filter);
  if (problem !== null) return errorFinding(problem, expected);

  // A history does not record whether or how a lost request was decided (LIM-C18).
  const all = select(history, filter);
  const hasNoResponse = (row: number): boolean => isLost(history.requests.status[row]!);
  const rows = all.filter((row) => !hasNoResponse(row));
  const lost = all.filter(hasNoResponse);
  const judgement = subject.oracle();
  if (judgement === null) return errorFinding(whyNoOracle(subject.variant)!, expected);
  const wrong = rows.filter((row) => disagreement(history, row, judgement.rows[row]!) !== null);
  const open = rows.filter((row) => !isDecided(judgement.rows[row]!)).length;
  const event = eventDisagreement(history, judgement, rows);
  const counted = `${wrong.length} of ${rows.length} decisions disagree${openText(open, rows.length)}${describeExcluded(history, lost)}`;
  const comparison = (
    outcome: Outcome,
    observed: string,
    evidence: readonly number[] = [],
  ): Finding => ({ ...finding(outcome, observed, expected, rows.length, evidence), open });
  const first = wrong[0];
  if (first !== undefined) {
    const place = `first at ${requestLabeller(history)(first)} (t=${formatDuration(micros(scenarioTimeUs(history.requests, first)))})`;
    return comparison(
      "fail",
      `${counted}; ${place}: ${disagreement(history, first, judgement.rows[first]!)}`,
      wrong,
    );
  }
  if (event !== null) return comparison("fail", event.text, event.rows);
  if (rows.length === 0) return comparison("vacuous", counted);
  const together = contradictionTogether(subject, new Set(rows));
  if (together !== null) {
    const { text, row } = together;
    return comparison("fail", `${counted}, but not together: ${text}`, [row]);
  }
  const most = mostOpen(history, bound);
  if (open === rows.length) return comparison("inconclusive", counted, rows);
  return open > rows.length * most
    ? comparison("inconclusive", `${counted}: more than ${shareText(most)} of them`, rows)
    : comparison("pass", counted, rows);
}

/**
 * The highest share of open decisions that can pass. A foreign gateway does not report when it decided, so most
 * decisions of a burst are open, and any share below 1 can pass: `contradictionTogether` checks them together.
 */
const mostOpen = (history: History, bound: OpenBound | undefined): number =>
  isForeign(history) ? 1 : (bound?.atMost ?? MOST_OPEN_SHARE);

const isForeign = ({ header }: History): boolean => header.driver === FOREIGN_DRIVER;

const openText = (open: number, all: number): string =>
  open === 0 ? "" : `, ${open} ${open === 1 ? "is" : "are"} open (${percentText(open, all)})`;

const shareText = (share: number): string => `${Number((share * 100).toPrecision(6))} %`;

const boundText = ({ atMost, because }: OpenBound): string =>
  `at most ${shareText(atMost)} open, because ${because}`;

/**
 * Finds a decision that is not allowed together with the others, although it alone is allowed at some moment. Decisions
 * at exact times need no such check.
 */
function contradictionTogether(
  { history, bounds, refusals }: CheckSubject,
  rows: ReadonlySet<number>,
): { readonly text: string; readonly row: number } | null {
  if (history.header.timing.kind === "exact") return null;
  for (const check of [bounds, refusals])
    for (const { row, text, isCertain } of check()?.violations ?? [])
      if (isCertain && row !== null && rows.has(row)) return { text, row };
  return null;
}

/** Null if the specification allows the decision in the row, else what it expects. */
function disagreement(history: History, row: number, expected: Expected): string | null {
  const { requests } = history;
  const status = requests.status[row]!;
  const admitted = REASONS[requests.reason[row]!] === "none";
  const got = `got ${status}`;
  const isForeign = history.header.driver === FOREIGN_DRIVER;
  if (admitted && (status === 401 || status === 403 || status === 429))
    return `${got} without a reason`;
  if (admitted && !expected.admit)
    return `${got}, expected ${expected.refusalStatus ?? "a refusal"}: ${expected.why}`;
  if (admitted)
    return (
      delayDisagreement(requests.delayUs[row]!, expected) ??
      (isForeign ? null : headerDisagreement(history, row, expected))
    );
  if (!expected.refuse) return `${got}, expected to be admitted: ${expected.why}`;
  if (isForeign) return null;
  if (expected.refusalStatus !== null && expected.refusalStatus !== status)
    return `${got}, expected ${expected.refusalStatus}: ${expected.why}`;
  const scope = history.header.budgets[requests.budget[row]!]?.scope;
  if (expected.refusalScope !== null && scope !== undefined && scope !== expected.refusalScope) {
    return `refused by the budget "${scope}", expected "${expected.refusalScope}": ${expected.why}`;
  }
  return (
    retryAfterDisagreement(requests.retryAfterS[row]!, expected) ??
    headerDisagreement(history, row, expected)
  );
}

function delayDisagreement(us: number, { delayUs, why }: Expected): string | null {
  if (delayUs === null || (us >= delayUs.from && us <= delayUs.to)) return null;
  const inWords = (each: number): string => formatDuration(micros(each));
  const { from, to } = delayUs;
  const span = from === to ? inWords(from) : `${inWords(from)} to ${inWords(to)}`;
  return `waits ${inWords(us)} for its turn, expected ${span}: ${why}`;
}

function retryAfterDisagreement(seconds: number, { retryAfter, why }: Expected): string | null {
  if (retryAfter === null) return null;
  const got = Number.isNaN(seconds) ? "no Retry-After" : `Retry-After ${seconds}`;
  if (retryAfter === "absent")
    return Number.isNaN(seconds) ? null : `${got}, expected none: ${why}`;
  const { fromS, toS } = retryAfter;
  if (seconds >= fromS && seconds <= toS) return null;
  return `${got}, expected ${fromS === toS ? fromS : `${fromS} to ${toS}`}: ${why}`;
}

/** Compares the smoothing events of keys whose allowance the oracle knows during the whole history (EVT-1). */
function eventDisagreement(
  history: History,
  judgement: OracleResults,
  rows: readonly number[],
): { text: string; rows: number[] } | null {
  const keys = new Set(
    rows
      .map((row) => history.header.keys[history.requests.key[row]!])
      .filter((key) => key !== undefined && !judgement.openKeys.has(key)),
  );
  const describe = (event: string, stampUs: number, value: number | null): string =>
    `${event} to ${value ?? "?"} at ${formatDuration(micros(stampUs))}`;
  for (const key of keys) {
    const expected = judgement.events.filter((event) => event.key === key);
    const wanted = expected.map(({ event, stampUs, value }) => describe(event, stampUs, value));
    const got = history.events
      .filter((event) => event.key === key && event.event.startsWith("RateLimitSmoothing"))
      .map(({ event, stampUs, value }) => describe(event, stampUs, value));
    const index = Array.from({ length: Math.max(wanted.length, got.length) }).findIndex(
      (_, at) => wanted[at] !== got[at],
    );
    if (index < 0) continue;
    const text = `event ${index + 1} of key ${key}: expected ${wanted[index] ?? "none"}, got ${got[index] ?? "none"}`;
    return { text, rows: expected[index] === undefined ? [] : [expected[index].row] };
  }
  return null;
}
