// Checks whether an advertised wait is long enough and at most a second too long, by the request after a refusal.
import {
  DIALECTS,
  type AdvertisedTime,
  type DialectId,
  type DialectReading,
} from "./advertised.ts";
import {
  endOf,
  findReading,
  tightestBudget,
  waitOf,
  type Between,
  type JudgedExchange,
} from "./exchange.ts";
import type { Dossier } from "./dossier.ts";

/** If a response arrives within this time after an instant, its request is treated as sent at that instant. */
const OPEN_S = 0.25;
/** A server's timers may be this late. */
const TIMER_S = 0.005;
/** A wait is sent in whole seconds, so it may be rounded up by this many seconds. */
const ROUNDING_S = 1;

export interface WaitTests {
  /** `enough`: requests after the wait that were admitted; `short`: those that were refused again. */
  readonly enough: number;
  readonly short: number;
  /** `needed`: requests refused in the last second of the wait; `long`: admitted more than a second before its end. */
  readonly needed: number;
  readonly long: number;
}

/** Counts what the request after each refusal shows about the waits of this dialect. */
export function testWaits(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  clock: Between,
): WaitTests {
  const tests = { enough: 0, short: 0, needed: 0, long: 0 };
  for (const { wait, refusal, next } of pairsOf(exchanges, dialect)) {
    const kind = testPair(wait, refusal, next, clock);
    for (const each of kind) tests[each]++;
  }
  return tests;
}

interface WaitPair {
  readonly wait: AdvertisedTime;
  readonly reading: DialectReading;
  readonly refusal: JudgedExchange;
  readonly next: JudgedExchange;
}

function pairsOf(exchanges: readonly JudgedExchange[], dialect: DialectId): readonly WaitPair[] {
  return exchanges.flatMap((refusal, index) => {
    const next = exchanges[index + 1];
    const reading = findReading(refusal, dialect);
    const wait = reading === undefined ? null : waitOf(reading);
    return refusal.outcome !== "refused" ||
      next === undefined ||
      next.outcome === "other" ||
      reading === undefined ||
      wait === null
      ? []
      : [{ wait, reading, refusal, next }];
  });
}

function testPair(
  wait: AdvertisedTime,
  refusal: JudgedExchange,
  { sentS, receivedS, outcome }: JudgedExchange,
  clock: Between,
): readonly (keyof WaitTests)[] {
  const end = endOf(wait, refusal, clock);
  const isShortWait = end.toS - refusal.sentS <= ROUNDING_S + OPEN_S;
  if (outcome === "admitted") {
    if (receivedS <= end.fromS - ROUNDING_S) return ["long", "enough"];
    return receivedS <= end.toS + OPEN_S ? ["enough", ...(isShortWait ? NEEDED : [])] : [];
  }
  if (sentS >= end.toS + TIMER_S) return ["short"];
  return sentS >= end.fromS - ROUNDING_S - OPEN_S ? NEEDED : [];
}

const NEEDED: readonly (keyof WaitTests)[] = ["needed"];

/**
 * Adds the findings. Retry-After is too long if a request is admitted more than a second before its end. A reset may be
 * the time at which the budget is full, so it is too long only if the budget is full earlier.
 */
export function judgeWaits(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  clock: Between,
  dossier: Dossier,
): void {
  for (const { wait, reading, refusal, next } of pairsOf(exchanges, dialect)) {
    const [header = ""] = reading.headers.filter((name) => TIME_HEADER.test(name));
    const kinds = testPair(wait, refusal, next, clock);
    const passed = next.sentS - refusal.receivedS;
    const text = `${DIALECTS[dialect]} advertises ${waitText(wait, refusal, clock)}`;
    if (kinds.includes("short"))
      dossier.add(refusal, {
        code: "LINT-WAIT-SHORT",
        header,
        message: `${text}, and a request ${seconds(passed)} after the refusal is refused again`,
        fix: `round the wait up, and count it from the response: send at least ${Math.floor(passed) + 1} s here`,
      });
    const isRetryAfter = dialect === "retry-after";
    if (kinds.includes("long") && (isRetryAfter || isRenewed(next, dialect)))
      dossier.add(refusal, {
        code: isZoneAway(wait, refusal.sentS + clock.fromS) ? "LINT-LOCAL-TIME" : "LINT-WAIT-LONG",
        header,
        message: `${text}, and ${isRetryAfter ? "a request passes" : "the whole budget is back"} at most ${seconds(next.receivedS - refusal.sentS)} after the refusal, and none was sent earlier`,
        fix: wait.isAbsolute
          ? SEND_GMT
          : "send the seconds until the next request passes, not more",
      });
  }
}

/** Whether the budget was full before this request. */
function isRenewed(exchange: JudgedExchange, dialect: DialectId): boolean {
  const reading = findReading(exchange, dialect);
  const budget = reading === undefined ? null : tightestBudget(reading);
  return budget !== null && budget.limit !== null && budget.remaining === budget.limit - 1;
}

const TIME_HEADER = /retry-after|reset|^ratelimit$/i;
const SEND_GMT = "send the time in GMT, or the seconds until then";

/** Reports a time that is past when its response is sent, because it helps no client. */
export function judgePast(
  exchange: JudgedExchange,
  reading: DialectReading,
  clock: Between,
  dossier: Dossier,
): void {
  const wait = waitOf(reading);
  if (wait?.isAbsolute !== true) return;
  const late = exchange.sentS + clock.fromS - wait.seconds;
  if (late <= ROUNDING_S) return;
  const [header = null] = reading.headers.filter((name) => TIME_HEADER.test(name));
  dossier.add(exchange, {
    code: isZoneAway(wait, exchange.sentS + clock.fromS) ? "LINT-LOCAL-TIME" : "LINT-PAST",
    header,
    message: `${header} is ${wait.seconds} as Unix time (${wait.form}), ${seconds(late)} before the response was sent`,
    fix: SEND_GMT,
  });
}

const HALF_HOUR_S = 1800;
const LONGEST_WAIT_S = 65;
const LARGEST_ZONE_S = 14 * 3600 + LONGEST_WAIT_S;

/** Whether a date is local time sent as GMT: it differs from now by whole half hours, plus at most a short wait. */
function isZoneAway({ form, seconds: at }: AdvertisedTime, serverNowS: number): boolean {
  const away = at - serverNowS;
  if (!form.endsWith("date") || Math.abs(away) > LARGEST_ZONE_S) return false;
  const zones = Math.floor((away + 1) / HALF_HOUR_S);
  return zones !== 0 && away - zones * HALF_HOUR_S <= LONGEST_WAIT_S;
}

function waitText(wait: AdvertisedTime, refusal: JudgedExchange, clock: Between): string {
  const { toS } = endOf(wait, refusal, clock);
  return wait.isAbsolute
    ? `a wait of ${seconds(toS - refusal.receivedS)} (${wait.form})`
    : `a wait of ${wait.seconds} s`;
}

const seconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} s`;
