// Whether a header that differs from the expected one may do so because its request came late. Agreement with the oracle
// shows whether the reported value is right at its own time; this file compares both values with what other times allow.
import { SECOND, type Micros } from "../core/units.ts";
import { entriesOf } from "../oracle/entries.ts";
import { isDecided } from "../oracle/expected.ts";
import { capacityOf, isQuota, isSmoothed, type OracleLevel } from "../oracle/levels.ts";
import { worldOf } from "../oracle/world.ts";
import { FOREIGN_DRIVER, type History } from "../scenario/history.ts";
import { SPECS } from "../spec/by-algorithm.ts";
import { answerTo } from "./rejections.ts";
import type { WrongHeader } from "./response.ts";
import type { CheckSubject } from "./subject.ts";

/** `isAnyStatus`: the expectation examines admitted and refused requests. */
export function explainsHeaders(
  subject: CheckSubject,
  lateUs: Micros,
  isAnyStatus: boolean,
): (header: WrongHeader) => boolean {
  let requestAt: ReturnType<typeof requestsOf> | null = null;
  return (header) => {
    if (mayBeLate(header, lateUs)) return true;
    requestAt ??= requestsOf(subject, lateUs);
    const request = requestAt(header.row);
    return (
      request !== null &&
      ((isAnyStatus && isOfTheOtherDecision(header, subject.history, request)) ||
        isOfAnotherTime(header, subject, request))
    );
  };
}

/** A header with a time moves with the requests, but by no more than their delay. */
function mayBeLate({ name, wanted, got }: WrongHeader, lateUs: Micros): boolean {
  const [[gotText, gotS], [wantedText, wantedS]] = [secondsIn(name, got), secondsIn(name, wanted)];
  return gotText === wantedText && Math.abs(gotS - wantedS) <= Math.ceil(lateUs / SECOND);
}

const TIMES: ReadonlySet<string> = new Set(["retry-after", "x-ratelimit-reset"]);

/** The text of a header without its time, and the time; NaN if it has none. */
function secondsIn(
  name: string,
  value: WrongHeader["got"],
): readonly [rest: string, seconds: number] {
  const text = String(value);
  if (TIMES.has(name)) return ["", value === null ? Number.NaN : Number(value)];
  const [whole, seconds] = /;t=(\d+)$/.exec(text) ?? [];
  return [text.slice(0, text.length - (whole?.length ?? 0)), Number(seconds ?? Number.NaN)];
}

/** What decides the headers of a request at any time. */
interface LimitedRequest {
  readonly levels: readonly OracleLevel[];
  readonly cost: number; // in units (LIM-C18)
  readonly plannedUs: number; // since 1970
  readonly longestUs: number; // that any of its limits makes a request wait, and the most by which one is late
  /** A request with a later stamp was decided before it, by one of its limits. */
  readonly isOvertaken: () => boolean;
}

/** Null without an oracle, for a request without limits, and for a gateway of others, whose headers are its own. */
function requestsOf(
  { variant, history }: CheckSubject,
  lateUs: Micros,
): (row: number) => LimitedRequest | null {
  const world = worldOf(variant, history);
  if (world === null || history.header.driver === FOREIGN_DRIVER) return () => null;
  const entries = entriesOf(history, world);
  return (row) => {
    const { levels, ledgers, cost, moment } = entries[row]!;
    if (levels.length === 0) return null;
    return {
      levels,
      cost,
      plannedUs: history.header.epochUs + history.requests.plannedUs[row]!,
      longestUs: lateUs + Math.max(...levels.map(longestWaitUs)),
      isOvertaken: () =>
        entries
          .slice(0, row)
          .some(
            (other) =>
              other.moment.hiUs > moment.loUs &&
              other.ledgers.some((ledger) => ledgers.includes(ledger)),
          ),
    };
  };
}

/** Only a refusal has a Retry-After: an admitted request may have been refused at another time, and the reverse. */
const isOfTheOtherDecision = (
  { row, name, wanted, got }: WrongHeader,
  { requests }: History,
  { longestUs }: LimitedRequest,
): boolean =>
  name === "retry-after" &&
  (answerTo(requests, row) === "refused"
    ? got !== null && wanted === null
    : got === null && isWithin(wanted, 1, longestUs / SECOND));

/**
 * The allowance of a smoothed limit, what remains of any limit, and which of several limits a response reports depend on
 * when requests came.
 */
function isOfAnotherTime(
  header: WrongHeader,
  subject: CheckSubject,
  request: LimitedRequest,
): boolean {
  const { row, name, wanted, got } = header;
  if (name === "retry-after" && answerTo(subject.history.requests, row) !== "refused") return false;
  if (!isComparedOrOpen(header, subject, request)) return false;
  if (TIMES.has(name) && got === null && !neverFits(subject.history, row)) return false;
  return [wanted, got].every((value) => isPossible(name, value, request, got === null));
}

/**
 * Whether agreement with the oracle is about this header. If the times leave open what it has to be, because of the
 * decision, of the allowance or of the order, any possible value is allowed. A header
 * that no requirement asserts proves nothing.
 */
function isComparedOrOpen(
  { row, name, got }: WrongHeader,
  { oracle }: CheckSubject,
  { levels, isOvertaken }: LimitedRequest,
): boolean {
  const expected = oracle()!.rows[row]!;
  // Without a reset that ever comes there is no Retry-After either, and agreement is about the reset.
  const isOfReset = name !== "retry-after" || got === null;
  if (expected.headers !== null && isOfReset) return true;
  if (expected.retryAfter !== null && name === "retry-after") return true;
  return (
    expected.headers === null && (!isDecided(expected) || levels.some(isSmoothed) || isOvertaken())
  );
}

/** Its limit is there and its reset is not. A Retry-After that is absent alone may be a defect. */
const neverFits = ({ requests }: History, row: number): boolean =>
  !Number.isNaN(requests.limit[row]!) && Number.isNaN(requests.resetUs[row]!);

function isPossible(
  name: string,
  value: WrongHeader["got"],
  { levels, cost, plannedUs, longestUs }: LimitedRequest,
  isNeverThere: boolean,
): boolean {
  const rates = levels.filter((level) => !isQuota(level));
  switch (name) {
    case "x-ratelimit-limit":
      return rates.some((level) => isWithin(value, leastOf(level), capacityOf(level)));
    case "x-ratelimit-remaining":
      return isWithin(value, 0, Math.max(...rates.map(capacityOf)));
    case "retry-after":
    case "x-ratelimit-reset": {
      if (value === null)
        return rates.some((level) => leastOf(level) < cost && cost <= capacityOf(level));
      if (!isNeverThere && levels.length === 1 && !levels.some(isSmoothed)) return false;
      const fromUs = name === "retry-after" ? 0 : plannedUs;
      return isWithin(value, Math.floor(fromUs / SECOND) + 1, (fromUs + longestUs) / SECOND);
    }
    default:
      return false;
  }
}

/** A debt is paid within one window. */
function longestWaitUs({ limit, algorithm }: OracleLevel): number {
  const { reachWindows } = SPECS[algorithm];
  return limit.perUs * (Number.isFinite(reachWindows) ? reachWindows : 1);
}

/** The smallest allowance of a limit. */
const leastOf = ({ limit }: OracleLevel): number =>
  Math.floor(limit.smoothing?.threshold ?? limit.rate);

/** A number of these, the last one rounded up; never an absent header. */
const isWithin = (value: WrongHeader["got"], from: number, to: number): boolean =>
  value !== null && Number(value) >= from && Number(value) <= Math.ceil(to);
