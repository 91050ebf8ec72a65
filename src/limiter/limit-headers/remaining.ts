// Checks Remaining: whether as many further requests are admitted as a response advertises.
import type { DialectId } from "./advertised.ts";
import type { Dossier } from "./dossier.ts";
import {
  endOf,
  findReading,
  tightestBudget,
  type Between,
  type JudgedExchange,
} from "./exchange.ts";

interface CountedExchange {
  readonly exchange: JudgedExchange;
  readonly remaining: number;
  readonly limit: number | null;
  readonly windowS: number | null;
  /** The earliest time at which the budget is renewed, by its reset; null: it has no reset. */
  readonly renewedS: number | null;
  readonly header: string;
  readonly limitHeader: string;
}

/** Consecutive admitted requests, and the refusal that follows, if there is one. */
interface AdmittedRun {
  readonly admitted: readonly CountedExchange[];
  readonly refusal: JudgedExchange | null;
}

/** A reset in whole seconds may be rounded up by this much. */
const ROUNDING_S = 1;
/** Without a usable reset, an excess is reported only within this time, and only if every run shows it. */
const AT_ONCE_S = 0.05;
/** The window, if none is advertised. If the limit is large, it shortens AT_ONCE_S: a unit refills sooner. */
const SHORTEST_WINDOW_S = 1;
const RUNS_TO_DECIDE = 3;

export function judgeRemaining(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  clock: Between,
  dossier: Dossier,
): void {
  const runs = runsOf(exchanges, dialect, clock);
  judgeLimit(runs, dossier);
  for (const run of runs) judgeShortfall(run, dossier);
  judgeExcess(runs, dossier);
  judgeWindow(runs, dossier);
  for (const exchange of exchanges) {
    const count = countOf(exchange, dialect, clock);
    if (exchange.outcome === "refused" && count !== null && count.remaining > 0)
      dossier.add(exchange, {
        code: "LINT-REMAINING",
        header: count.header,
        message: `a refusal advertises ${count.remaining} as remaining`,
        fix: "send 0 as remaining with each refusal",
      });
  }
}

function countOf(
  exchange: JudgedExchange,
  dialect: DialectId,
  clock: Between,
): CountedExchange | null {
  const reading = findReading(exchange, dialect);
  const budget = reading === undefined ? null : tightestBudget(reading);
  if (reading === undefined || budget?.remaining == null) return null;
  const { remaining, limit, windowS, reset } = budget;
  const header = reading.headers.find((name) => /remaining|^ratelimit$/i.test(name));
  return {
    exchange,
    remaining,
    limit,
    windowS,
    renewedS: reset === null ? null : endOf(reset, exchange, clock).fromS - ROUNDING_S,
    header: header ?? reading.headers[0]!,
    limitHeader: reading.headers.find((name) => /-limit(?:-|$)/i.test(name)) ?? reading.headers[0]!,
  };
}

function runsOf(
  exchanges: readonly JudgedExchange[],
  dialect: DialectId,
  clock: Between,
): readonly AdmittedRun[] {
  const runs: AdmittedRun[] = [];
  let admitted: CountedExchange[] = [];
  const end = (refusal: JudgedExchange | null): void => {
    if (admitted.length > 0) runs.push({ admitted, refusal });
    admitted = [];
  };
  for (const exchange of exchanges) {
    const count = countOf(exchange, dialect, clock);
    if (exchange.outcome === "admitted" && count !== null) admitted.push(count);
    else end(exchange.outcome === "refused" ? exchange : null);
  }
  end(null);
  return runs;
}

/** Reports a limit that no run reached, although a run began with a whole budget by its own headers. */
function judgeLimit(runs: readonly AdmittedRun[], dossier: Dossier): void {
  const most = Math.max(0, ...runs.map(({ admitted }) => admitted.length));
  for (const { admitted, refusal } of runs) {
    const { exchange, limit, remaining, limitHeader } = admitted[0]!;
    if (refusal === null || limit === null || remaining < limit - 1 || most >= limit) continue;
    dossier.add(exchange, {
      code: "LINT-LIMIT",
      header: limitHeader,
      message: `a limit of ${limit} is advertised, and at most ${most} were admitted before a refusal`,
      fix: "advertise the limit that is enforced; if other clients share the budget, test without them",
    });
  }
}

/** Reports a refusal before as many requests as Remaining were admitted: a budget only grows while a client waits. */
function judgeShortfall({ admitted, refusal }: AdmittedRun, dossier: Dossier): void {
  if (refusal === null) return;
  const at = admitted.findIndex(({ remaining }, nth) => admitted.length - 1 - nth < remaining);
  const first = admitted[at];
  if (first === undefined) return;
  dossier.add(first.exchange, {
    code: "LINT-REMAINING",
    header: first.header,
    message: `Remaining is ${first.remaining}, and ${admitted.length - 1 - at} more pass before the next refusal`,
    fix: `send ${admitted.length - 1 - at} in this response: subtract the request itself from Remaining; if other clients share the budget, test without them`,
  });
}

/** Reports more admitted requests than advertised. One excess request may be chance in one run, but not in several. */
function judgeExcess(runs: readonly AdmittedRun[], dossier: Dossier): void {
  const measured = runs.map(excessOf);
  const certain = measured.find((each) => each !== null && each.excess >= 2 && each.isInTime);
  const repeated = measured.filter((each) => each !== null && each.excess >= 1 && each.isInTime);
  const atOnce = measured.filter((each) => each !== null && each.excess >= 1 && each.isAtOnce);
  const isEveryRun =
    atOnce.length >= RUNS_TO_DECIDE && atOnce.length === measured.filter(Boolean).length;
  const found =
    certain ?? (repeated.length >= 2 ? repeated[0] : undefined) ?? (isEveryRun ? atOnce[0] : null);
  if (found === null || found === undefined) return;
  const { first, passed, left } = found;
  dossier.add(first.exchange, {
    code: "LINT-REMAINING",
    header: first.header,
    message: `Remaining is ${first.remaining}, then ${passed} more pass and ${left} remain`,
    fix: "let Remaining fall by one with each request that passes",
  });
}

interface MeasuredExcess {
  readonly first: CountedExchange;
  readonly passed: number;
  readonly left: number;
  readonly excess: number;
  readonly isInTime: boolean;
  readonly isAtOnce: boolean;
}

/** The largest excess of a run. Null unless the run begins with a full budget: any other may refill during the run. */
function excessOf({ admitted, refusal }: AdmittedRun): MeasuredExcess | null {
  const [first] = admitted;
  if (first === undefined || first.limit === null || first.remaining !== first.limit - 1)
    return null;
  const atOnceS = Math.min(AT_ONCE_S, (first.windowS ?? SHORTEST_WINDOW_S) / first.limit);
  let worst: MeasuredExcess | null = null;
  for (const [passed, { exchange, remaining }] of admitted.entries()) {
    // After the last admitted request before a refusal nothing was left, whatever its response advertises.
    const left = refusal !== null && passed === admitted.length - 1 ? 0 : remaining;
    const excess = passed + left - first.remaining;
    const isInTime = first.renewedS !== null && exchange.receivedS < first.renewedS;
    const isAtOnce = exchange.receivedS - first.exchange.sentS < atOnceS;
    if (passed > 0 && (isInTime || isAtOnce) && (worst === null || excess > worst.excess))
      worst = { first, passed, left, excess, isInTime, isAtOnce };
  }
  return worst;
}

/** Reports more than twice the limit in one window: at most one budget before a renewal and one after it are right. */
function judgeWindow(runs: readonly AdmittedRun[], dossier: Dossier): void {
  const all = runs.flatMap(({ admitted }) => admitted);
  for (const [index, first] of all.entries()) {
    const { limit, windowS, exchange } = first;
    if (limit === null || windowS === null || limit === 0) continue;
    const isWithin = (each: CountedExchange): boolean =>
      each.exchange.receivedS - exchange.sentS < windowS;
    const tooMany = all[index + 2 * limit];
    if (tooMany === undefined || !isWithin(tooMany)) continue;
    const within = all.findLastIndex(isWithin) - index + 1;
    dossier.add(exchange, {
      code: "LINT-LIMIT",
      header: first.header,
      message: `the limit is ${limit} per ${windowS} s, and ${within} requests pass within ${windowS} s`,
      fix: "advertise the limit and the window that are enforced",
    });
  }
}
