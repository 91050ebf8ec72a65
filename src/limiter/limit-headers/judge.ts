// Runs every check of every dialect, and returns one verdict for each dialect.
import {
  DIALECTS,
  FINDING_CODES,
  HEADER_VERDICTS,
  type AdvertisedBudget,
  type DialectId,
  type HeaderVerdict,
  type TimeForm,
} from "./advertised.ts";
import { Dossier, type CollectedFinding } from "./dossier.ts";
import {
  endOf,
  findReading,
  measureClock,
  tightestBudget,
  waitOf,
  type Between,
  type JudgedExchange,
} from "./exchange.ts";
import {
  judgeAgreement,
  judgeForm,
  judgePresence,
  judgeRetryAfter,
  judgeUnit,
} from "./presence.ts";
import { judgeRemaining } from "./remaining.ts";
import { judgePast, judgeWaits, testWaits, type WaitTests } from "./waits.ts";

interface DialectVerdict {
  readonly dialect: DialectId;
  readonly verdict: HeaderVerdict;
  /** Why a dialect without errors is not valid: checks that had nothing to examine. */
  readonly open: readonly string[];
  readonly headers: readonly string[];
  /** The limit of the first response that has one; null: no response does. */
  readonly limit: number | null;
  readonly windowS: number | null;
  readonly resetForm: TimeForm | null;
  readonly waits: WaitTests;
  readonly findings: readonly CollectedFinding[];
}

/** One verdict for each dialect of the responses. Each request must be sent after the previous response. */
export function judgeHeaders(exchanges: readonly JudgedExchange[]): readonly DialectVerdict[] {
  const clock = measureClock(exchanges);
  const seen = new Set(exchanges.flatMap(({ readings }) => readings.map(({ dialect }) => dialect)));
  if (exchanges.some(({ outcome }) => outcome === "refused")) seen.add("retry-after");
  const present = (Object.keys(DIALECTS) as DialectId[]).filter((dialect) => seen.has(dialect));
  const dialects = present.map((dialect) => judgeDialect(exchanges, dialect, clock));
  return dialects.filter(({ headers, findings }) => headers.length + findings.length > 0);
}

function judgeDialect(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  clock: Between,
): DialectVerdict {
  const dossier = new Dossier();
  for (const exchange of exchanges) {
    const reading = findReading(exchange, dialect);
    if (reading === undefined) continue;
    for (const finding of reading.findings) dossier.add(exchange, finding);
    judgePast(exchange, reading, clock, dossier);
  }
  const readings = exchanges.flatMap((exchange) => findReading(exchange, dialect) ?? []);
  if (readings.length > 0) judgePresence(exchanges, dialect, dossier);
  if (dialect === "retry-after") judgeRetryAfter(exchanges, dossier);
  judgeForm(exchanges, dialect, dossier);
  judgeUnit(exchanges, dialect, dossier);
  judgeAgreement(exchanges, dialect, clock, dossier);
  judgeRemaining(exchanges, dialect, clock, dossier);
  judgeWaits(exchanges, dialect, clock, dossier);
  const findings = dossier.list();
  const waits = testWaits(exchanges, dialect, clock);
  const budgets = readings.flatMap((reading) => tightestBudget(reading) ?? []);
  const isLimitWrong = findings.some(({ code }) => code === "LINT-LIMIT");
  const open = [
    ...(isLimitWrong ? [] : openLimit(exchanges, budgets)),
    ...openQuestions(exchanges, dialect, waits, clock),
  ];
  const first = <Part extends keyof AdvertisedBudget>(part: Part): AdvertisedBudget[Part] | null =>
    budgets.find((budget) => budget[part] !== null)?.[part] ?? null;
  return {
    dialect,
    verdict: verdictOf(findings, open),
    open,
    headers: [...new Set(readings.flatMap(({ headers }) => headers))],
    limit: first("limit"),
    windowS: first("windowS"),
    resetForm: readings.flatMap((reading) => waitOf(reading) ?? [])[0]?.form ?? null,
    waits,
    findings,
  };
}

function verdictOf(findings: readonly CollectedFinding[], open: readonly string[]): HeaderVerdict {
  const causes = findings
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => FINDING_CODES[code].verdict);
  const worst = HEADER_VERDICTS.find((verdict) => causes.includes(verdict as never));
  return worst ?? (open.length > 0 ? "inconclusive" : "valid");
}

/** A limit that is larger than what was admitted before each refusal: others may share it, or it may not be enforced. */
function openLimit(
  exchanges: readonly JudgedExchange[],
  budgets: readonly AdvertisedBudget[],
): readonly string[] {
  const least = Math.min(...budgets.flatMap(({ limit }) => limit ?? []));
  const most = mostBeforeRefusal(exchanges);
  return most === null || most >= least || least === Infinity
    ? []
    : [
        `the limit of ${least} is not reached: ${most === 0 ? "no request was" : `at most ${most} ${most === 1 ? "was" : "were"}`} admitted before a refusal`,
      ];
}

/** The most admitted one after the other; null: none was refused. Without a refusal after them the limit is as large too. */
export function mostBeforeRefusal(exchanges: readonly JudgedExchange[]): number | null {
  let [most, inARow] = [0, 0];
  for (const { outcome } of exchanges) {
    inARow = outcome === "admitted" ? inARow + 1 : 0;
    most = Math.max(most, inARow);
  }
  return exchanges.some(({ outcome }) => outcome === "refused") ? most : null;
}

function openQuestions(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  waits: WaitTests,
  clock: Between,
): readonly string[] {
  const refused = exchanges.filter(({ outcome }) => outcome === "refused");
  const withWait = refused.filter((exchange) => {
    const reading = findReading(exchange, dialect);
    return reading !== undefined && waitOf(reading) !== null;
  });
  if (refused.length === 0)
    return ["no request was refused, so neither Remaining nor a wait was tested"];
  if (withWait.length === 0) return [];
  const open: string[] = [];
  const last = withWait.at(-1)!;
  const wait = waitOf(findReading(last, dialect)!)!;
  const longest = endOf(wait, last, clock).toS - last.sentS;
  if (waits.enough + waits.short === 0)
    open.push(
      `no request was sent at the end of an advertised wait; the last wait is ${Math.round(longest)} s`,
    );
  if (dialect === "retry-after" && waits.needed + waits.long === 0)
    open.push("no request was sent one second before the end of a wait");
  return open;
}
