// Checks which responses have the headers, and whether several dialects of one response agree.
import { DIALECTS, type DialectId, type DialectReading } from "./advertised.ts";
import type { Dossier } from "./dossier.ts";
import {
  endOf,
  findReading,
  tightestBudget,
  waitOf,
  type Between,
  type JudgedExchange,
} from "./exchange.ts";

/** Reports responses without the headers: clients need them in every response, above all in refusals. */
export function judgePresence(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  dossier: Dossier,
): void {
  const header = headerOf(exchanges, dialect);
  const presenceIn = (outcome: JudgedExchange["outcome"]): Presence => {
    const all = exchanges.filter((exchange) => exchange.outcome === outcome);
    const without = all.filter((exchange) => findReading(exchange, dialect) === undefined);
    return { all, without, hasNone: all.length > 0 && without.length === all.length };
  };
  const [admitted, refused] = [presenceIn("admitted"), presenceIn("refused")];
  for (const [{ all, without, hasNone }, word] of [
    [admitted, "admitted"],
    [refused, "refused"],
  ] as const)
    if (without.length > 0 && !hasNone && !(dialect === "retry-after" && word === "admitted"))
      dossier.add(without[0]!, {
        code: "LINT-ABSENT",
        header,
        message: `${without.length} of ${all.length} responses to ${word} requests have no ${header}`,
        fix: "send it with every response",
      });
  if (dialect === "retry-after") return;
  if (refused.hasNone && !admitted.hasNone)
    dossier.add(refused.all[0]!, {
      code: "LINT-ABSENT",
      header,
      message: `admitted requests have ${header}, and refused ones do not`,
      fix: "send it with refusals too: there clients need it most",
    });
  if (admitted.hasNone && !refused.hasNone)
    dossier.add(admitted.all[0]!, {
      code: "LINT-ABSENT",
      severity: "warning",
      header,
      message: `refused requests have ${header}, and admitted ones do not`,
      fix: "send it with every response, so that clients can slow down in time",
    });
}

interface Presence {
  readonly all: readonly JudgedExchange[];
  readonly without: readonly JudgedExchange[];
  readonly hasNone: boolean;
}

const headerOf = (exchanges: readonly JudgedExchange[], dialect: DialectId): string =>
  exchanges.flatMap((exchange) => findReading(exchange, dialect)?.headers ?? [])[0] ??
  DIALECTS[dialect];

/** Reports refusals if none has Retry-After, so that clients guess their wait. At a limit of 0, no wait helps. */
export function judgeRetryAfter(exchanges: readonly JudgedExchange[], dossier: Dossier): void {
  const refused = exchanges.filter(({ outcome }) => outcome === "refused");
  const without = refused.filter(
    (exchange) => findReading(exchange, "retry-after") === undefined && !isLimitZero(exchange),
  );
  if (without.length === 0 || without.length < refused.length) return;
  for (const exchange of without)
    dossier.add(exchange, {
      code: "LINT-RETRY-AFTER",
      header: "Retry-After",
      message: `a refusal (${exchange.status}) has no Retry-After`,
      fix: 'send the whole seconds after which a request passes, such as "Retry-After: 30"',
    });
}

const isLimitZero = ({ readings }: JudgedExchange): boolean =>
  readings.some(({ budgets }) => budgets.some(({ limit }) => limit === 0));

/** A reset as duration and as point in time may differ by this much, because of rounding. */
const ROUNDING_S = 1.5;

/** Compares the dialect with each dialect before it, for each response. */
export function judgeAgreement(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  clock: Between,
  dossier: Dossier,
): void {
  for (const exchange of exchanges) {
    const reading = findReading(exchange, dialect);
    if (reading === undefined || dialect === "retry-after") continue;
    for (const other of exchange.readings) {
      if (other === reading) break;
      const difference =
        other.dialect === "retry-after"
          ? waitDifference(exchange, [reading, other], clock)
          : (differenceIn("limit", reading, other) ??
            differenceIn("remaining", reading, other) ??
            resetDifference(exchange, [reading, other], clock));
      if (difference !== null)
        dossier.add(exchange, {
          code: "LINT-DISAGREE",
          header:
            (other.dialect === "retry-after" ? reading.headers.find(isOfTime) : null) ??
            reading.headers[0] ??
            null,
          message: `${difference} in ${DIALECTS[other.dialect]} of the same response`,
          fix:
            other.dialect === "retry-after"
              ? "send one wait in both: the seconds until a request passes"
              : "compute all dialects from one budget",
        });
    }
  }
}

const isOfTime = (header: string): boolean => /reset|^ratelimit$/i.test(header);

/**
 * A wait that is longer than the time until the empty budget is back. A shorter one is right, because a reset may be
 * the time at which the budget is full.
 */
function waitDifference(
  exchange: JudgedExchange,
  [reading, retryAfter]: readonly [DialectReading, DialectReading],
  clock: Between,
): string | null {
  if (exchange.outcome !== "refused" || (tightestBudget(reading)?.remaining ?? 0) > 0) return null;
  const [reset, wait] = [reading, retryAfter].map((each) => {
    const time = waitOf(each);
    return time === null ? null : endOf(time, exchange, clock);
  });
  if (reset == null || wait == null) return null;
  const later = wait.fromS - reset.toS;
  return later <= ROUNDING_S
    ? null
    : `the reset of ${DIALECTS[reading.dialect]} is ${later.toFixed(1)} s before the end of the wait`;
}

function differenceIn(
  part: "limit" | "remaining",
  one: DialectReading,
  other: DialectReading,
): string | null {
  const [mine, theirs] = [tightestBudget(one)?.[part], tightestBudget(other)?.[part]];
  return mine == null || theirs == null || mine === theirs
    ? null
    : `${part} is ${mine} in ${DIALECTS[one.dialect]}, and ${theirs}`;
}

function resetDifference(
  exchange: JudgedExchange,
  [one, other]: readonly [DialectReading, DialectReading],
  clock: Between,
): string | null {
  const times = [waitOf(one), waitOf(other)];
  const [mine, theirs] = times.map((time) => time && endOf(time, exchange, clock));
  if (mine == null || theirs == null) return null;
  const apart = Math.max(mine.fromS - theirs.toS, theirs.fromS - mine.toS);
  return apart <= ROUNDING_S
    ? null
    : `the reset of ${DIALECTS[one.dialect]} is ${apart.toFixed(1)} s away from the reset`;
}

/** The shortest pause examined between two refusals, which spend nothing: a reset in seconds falls by the pause. */
const LEAST_PAUSE_S = 0.3;

/** Reports a reset in milliseconds, which falls by about 1,000 per second. One response alone cannot show this. */
export function judgeUnit(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  dossier: Dossier,
): void {
  for (const [index, exchange] of exchanges.entries()) {
    const next = exchanges[index + 1];
    if (next === undefined || exchange.outcome !== "refused" || next.outcome !== "refused")
      continue;
    const [before, after] = [exchange, next].map((each) => {
      const reading = findReading(each, dialect);
      return reading === undefined ? null : waitOf(reading);
    });
    if (before?.form !== "seconds" || after?.form !== "seconds") continue;
    const pauseS = next.sentS - exchange.sentS;
    const perSecond = (before.seconds - after.seconds) / pauseS;
    if (pauseS >= LEAST_PAUSE_S && perSecond > 500 && perSecond < 1500)
      dossier.add(exchange, {
        code: "LINT-FORM",
        header: headerOf(exchanges, dialect),
        message: `the reset falls from ${before.seconds} to ${after.seconds} within ${pauseS.toFixed(2)} s, so it is in milliseconds`,
        fix: "send seconds: clients read a small number as seconds",
      });
  }
}

/** Reports a reset whose form changes between responses, because clients expect one form. */
export function judgeForm(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  dossier: Dossier,
): void {
  const forms = new Map<string, JudgedExchange>();
  for (const exchange of exchanges) {
    const reading = findReading(exchange, dialect);
    const form = reading === undefined ? undefined : waitOf(reading)?.form;
    if (form !== undefined) forms.set(form.replace(" with a fraction", ""), exchange);
  }
  const [first, second] = [...forms.keys()];
  if (second === undefined) return;
  dossier.add(forms.get(second)!, {
    code: "LINT-FORM",
    header: headerOf(exchanges, dialect),
    message: `the reset is sometimes ${first}, and sometimes ${second}`,
    fix: "send one form in every response",
  });
}
