// Checks each budget by its own attempts alone: it must not admit too much, nor refuse without a reason (LIM-C11).
import { formatDuration, micros } from "../../kit/units.ts";
import { bookOf, isInSteps, ledgerOf, type Book } from "../oracle/book.ts";
import type { Entry } from "../oracle/entries.ts";
import type { LedgerAttempt, Ledger } from "../oracle/ledger.ts";
import { isLog, isSmoothed, type OracleLevel } from "../oracle/levels.ts";
import { rowsWithin } from "../oracle/past.ts";
import type { OracleWorld } from "../oracle/world.ts";
import { REASONS, type History } from "../scenario/history.ts";
import type { LimitFacts } from "../../limiter/spec/algorithm-spec.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import type { Violation, RuleCheck } from "./rule-check.ts";
import { findExcessTogether } from "./admitted-together.ts";
import { requestLabeller } from "./request-names.ts";
import { windowCounters } from "./window-counters.ts";

interface Rule {
  readonly level: OracleLevel;
  readonly limit: LimitFacts;
  readonly capacity: number; // units that the budget admits at one instant
  readonly most: number; // units that the budget may admit in any window
}

const ruleOf = (level: OracleLevel, entry: Entry): Rule => {
  const { gateways, configuration } = entry;
  const { burst, queue, fixedWindowStart } = configuration.options;
  const { rate, perUs } = level.limit;
  const spec = SPECS[level.algorithm];
  const limit = { rate, perUs, gateways, burst, queue, fixedWindowStart };
  const delaying = entry.levels.filter(({ algorithm }) => SPECS[algorithm].delays).length;
  // With several delaying levels, a request leaves at its latest turn, so that no single level bounds a window.
  const isBound = !spec.delays || delaying === 1;
  const most = isBound ? spec.mostInWindow(limit).most : Number.POSITIVE_INFINITY;
  return { level, limit, capacity: spec.budget(limit), most };
};

interface LedgerRule extends Rule {
  readonly isOnly: boolean; // the budget had the same limit all the time
}

const areAlike = (a: LimitFacts, b: LimitFacts): boolean =>
  Object.entries(a).every(([fact, value]) => b[fact as keyof LimitFacts] === value);

/** For each ledger, the most generous of the rules that its budget had. */
function rulesOf({ entries }: Book): ReadonlyMap<string, LedgerRule> {
  const rules = new Map<string, LedgerRule>();
  for (const entry of entries)
    for (const [index, level] of entry.levels.entries()) {
      const name = entry.ledgers[index]!;
      const rule = ruleOf(level, entry);
      const current = rules.get(name);
      if (current === undefined) rules.set(name, { ...rule, isOnly: true });
      else if (!areAlike(rule.limit, current.limit))
        rules.set(name, { ...(rule.most > current.most ? rule : current), isOnly: false });
    }
  return rules;
}

export function checkBounds(history: History, world: OracleWorld): RuleCheck {
  const book = bookOf(history, world);
  const rules = rulesOf(book);
  const violations: Violation[] = [];
  let examined = 0;
  for (const [name, ledger] of book.ledgers) {
    const rule = rules.get(name);
    if (rule === undefined) continue; // only lost requests may have used this budget, after a change of limits
    const { delays } = SPECS[rule.level.algorithm];
    // A request refused by another level never leaves, and the history does not record its turn at this level.
    const leaves = (row: number): boolean =>
      !delays || REASONS[history.requests.reason[row]!] === "none";
    const decided = ledger.past
      .map(({ attempt }) => attempt)
      .filter(({ trace, certain, row }) => trace === "admitted" && certain && leaves(row));
    const admitted = decided.map((attempt) => (delays ? atDeparture(attempt) : attempt));
    examined += admitted.length;
    const violation =
      findExcess(admitted, ledger, rule, history, world) ??
      findExcessTogether(decided, ledger, rule, history.header.epochUs, (attempts) =>
        countLosses(attempts, ledger, rule.level, world),
      );
    if (violation !== null) violations.push(violation);
  }
  return { examined, violations };
}

/** The attempt at the time when its request left: a delaying level bounds these times, not the times of decisions. */
const atDeparture = (attempt: LedgerAttempt): LedgerAttempt =>
  attempt.delayUs === 0
    ? attempt
    : {
        ...attempt,
        loUs: attempt.loUs + attempt.delayUs,
        hiUs: attempt.hiUs + attempt.delayUs,
      };

/** The first window that surely has too many units, else the first that may have; null if there is none. */
function findExcess(
  admitted: readonly LedgerAttempt[],
  ledger: Ledger,
  rule: Rule,
  history: History,
  world: OracleWorld,
): Violation | null {
  const { level } = rule;
  const { perUs } = level.limit;
  const together = isInFlight(level) ? mostTogether(ledger, history) : 0;
  const windows = windowsUnder(ledger.disorderUs, perUs);
  // All units of a request leave together, at the turn of its first unit (ALG-C10).
  const early = SPECS[level.algorithm].delays ? mostUnits(admitted) - 1 : 0;
  const base = rule.most === 0 ? together : windows * rule.most + together + early;
  let doubtful: Violation | null = null;
  const counters = windowCounters(admitted, perUs);
  const losses = countLosses(admitted, ledger, level, world);
  for (const endUs of new Set(admitted.flatMap(({ loUs, hiUs }) => [loUs, hiUs]))) {
    const fromUs = endUs - perUs;
    // Two counters clear most windows. Filtering all requests for each of 10,000 windows would take minutes.
    if (counters.possible(endUs) <= base) continue;
    if (losses === 0 && doubtful !== null && counters.certain(endUs) <= base) continue;
    const possible = admitted.filter(({ loUs, hiUs }) => hiUs > fromUs && loUs <= endUs);
    const most = base + rule.capacity * countLosses(possible, ledger, level, world);
    if (unitsOf(possible) <= most) continue;
    const certain = possible.filter(({ loUs, hiUs }) => loUs > fromUs && hiUs <= endUs);
    const isCertain = unitsOf(certain) > most;
    const count = unitsOf(isCertain ? certain : possible);
    const text = `${level.algorithm} of ${level.limit.rate} per ${formatDuration(perUs)} (${level.scope}) admitted ${count} up to t=${formatDuration(micros(endUs))}, at most ${most} are allowed`;
    const violation = { row: possible.at(-1)!.row, text, isCertain };
    if (isCertain) return violation;
    doubtful ??= violation;
  }
  return doubtful;
}

const unitsOf = (attempts: readonly LedgerAttempt[]): number =>
  attempts.reduce((sum, { cost }) => sum + cost, 0);

const mostUnits = (attempts: readonly LedgerAttempt[]): number =>
  attempts.reduce((most, { cost }) => Math.max(most, cost), 1);

/** How often a window may admit the whole budget: gateways with fast clocks drop requests that others still count. */
const windowsUnder = (disorderUs: number, perUs: number): number =>
  disorderUs < perUs ? 1 + Math.ceil(disorderUs / (perUs - disorderUs)) : Number.POSITIVE_INFINITY;

const isInFlight = ({ algorithm }: OracleLevel): boolean => SPECS[algorithm].overshootsBy !== null;

/** The most units in flight at one moment. Flights last twice the response time, to include a background write. */
function mostTogether({ past }: Ledger, { requests }: History): number {
  const flights = past
    .map(({ attempt: { row, cost } }) => ({
      cost,
      fromUs: requests.sentUs[row]!,
      toUs: 2 * requests.answeredUs[row]! - requests.sentUs[row]!,
    }))
    .filter(({ fromUs, toUs }) => fromUs <= toUs);
  if (!flights.some(({ fromUs, toUs }) => fromUs < toUs)) return 0;
  const begun = flights.toSorted((a, b) => a.fromUs - b.fromUs);
  const ended = flights.toSorted((a, b) => a.toUs - b.toUs);
  let most = 0;
  let underWay = 0;
  let over = 0;
  for (const { fromUs, cost } of begun) {
    underWay += cost;
    for (; ended[over]!.toUs < fromUs; over++) underWay -= ended[over]!.cost;
    most = Math.max(most, underWay);
  }
  return most;
}

/** How often state was lost or limits changed between these attempts. Each loss or change allows one more budget. */
function countLosses(
  attempts: readonly LedgerAttempt[],
  { resets }: Ledger,
  { algorithm }: OracleLevel,
  { storeRestartsUs, gatewayRestarts, epochs }: OracleWorld,
): number {
  const fromUs = attempts.reduce((first, one) => Math.min(first, one.fromUs), Infinity);
  const toUs = attempts.reduce((last, one) => Math.max(last, one.toUs), -Infinity);
  const restarts =
    SPECS[algorithm].countedBy === "gateway"
      ? gatewayRestarts.map(({ atUs }) => atUs)
      : storeRestartsUs;
  const within = resets.filter((reset) => reset.toUs >= fromUs && reset.fromUs <= toUs);
  const changes = [...restarts, ...epochs.map(({ atUs }) => atUs)];
  return changes.filter((us) => us >= fromUs && us <= toUs).length + within.length;
}

export function checkRefusals(history: History, world: OracleWorld): RuleCheck {
  const book = bookOf(history, world);
  const called = requestLabeller(history);
  const refusals = refusalsIn(history, book);
  const unexplained = new Set(refusals);
  // A log also counts refusals. Admissions alone must explain the first refusal, which then helps to explain others.
  const uncounted = new Set(refusals.filter(isInTurn).map(({ entry }) => entry.moment.row));
  const met = ({ entry, level, ledger }: Refusal, enough: number): number =>
    countBefore(entry, level, ledger, uncounted, enough);
  let before: number;
  do {
    before = unexplained.size;
    for (const refusal of unexplained)
      if (met(refusal, refusal.required) >= refusal.required) {
        unexplained.delete(refusal);
        uncounted.delete(refusal.entry.moment.row);
      }
  } while (unexplained.size < before);
  const violations = [...unexplained].map((refusal): Violation => {
    const { algorithm, scope, limit } = refusal.level;
    const { row } = refusal.entry.moment;
    const text = `${called(row)}: ${algorithm} of ${limit.rate} per ${formatDuration(limit.perUs)} (${scope}) refuses after ${met(refusal, Number.POSITIVE_INFINITY)} of ${refusal.required}`;
    return { row, text, isCertain: true };
  });
  return { examined: refusals.length, violations };
}

interface Refusal {
  readonly entry: Entry;
  readonly level: OracleLevel; // the level that refused
  readonly ledger: Ledger;
  readonly required: number; // units that the budget must have counted before the refusal
  readonly isInSteps: boolean;
}

const refusalsIn = (history: History, book: Book): readonly Refusal[] =>
  book.entries.flatMap((entry) => {
    const level = refusingLevel(history, entry);
    if (level === null || !isVisible(entry)) return [];
    const ledger = ledgerOf(book, entry, level);
    // A request is refused unless all its units fit.
    const required = minimumForRefusal(level, entry, ledger) - entry.cost + 1;
    return [
      {
        entry,
        level,
        ledger,
        required,
        isInSteps: isInSteps(entry.levels, entry.configuration.options),
      },
    ];
  });

/** False if concurrent requests may refuse each other, because each is written before it is decided. */
const isInTurn = ({ level, isInSteps: areSteps }: Refusal): boolean =>
  isLog(level) && !isInFlight(level) && !areSteps;

/** The level that a refusal names. */
function refusingLevel(
  { requests, header }: History,
  { levels, moment }: Entry,
): OracleLevel | null {
  const reason = REASONS[requests.reason[moment.row]!];
  if (reason !== "rate" && reason !== "quota") return null;
  const scope = header.budgets[requests.budget[moment.row]!]?.scope;
  return levels.find((level) => level.scope === scope) ?? null;
}

/** False if the history lacks the cause: earlier tries of a throttled request, or counters inside a gateway. */
const isVisible = ({ outage, between, configuration }: Entry): boolean =>
  outage === "none" &&
  !between &&
  [...configuration.keys.values(), ...configuration.policies.values()].every(
    ({ isThrottled, accessRights }) =>
      !isThrottled && [...accessRights.values()].every((right) => !right.isThrottled),
  );

function minimumForRefusal(level: OracleLevel, entry: Entry, ledger: Ledger): number {
  // A shared mark retains only the rate of its last writer (LIM-C8).
  if (SPECS[level.algorithm].overshootsBy === "mark")
    return Math.min(
      ledger.leastCapacity,
      Math.floor(level.limit.smoothing?.threshold ?? level.limit.rate),
    );
  if (isSmoothed(level)) return Math.floor(level.limit.smoothing!.threshold);
  return ruleOf(level, entry).capacity;
}

/**
 * The units that the budget may have counted before the request; stops counting at `enough`. A log counts refused
 * attempts too.
 */
function countBefore(
  { moment }: Entry,
  level: OracleLevel,
  ledger: Ledger,
  without: ReadonlySet<number>,
  enough: number,
): number {
  const sinceUs = moment.loUs - reachUs(level) - ledger.disorderUs;
  const { first, end } = rowsWithin(ledger, sinceUs, moment.flightToUs);
  let units = 0;
  for (let index = end - 1; index >= first && units < enough; index--) {
    const { row, hiUs, flightFromUs, trace, certain, cost } = ledger.past[index]!.attempt;
    if (row === moment.row || without.has(row)) continue;
    if (hiUs <= sinceUs || flightFromUs > moment.flightToUs) continue;
    if (trace !== "visited" || !certain) units += cost;
  }
  return units;
}

const reachUs = ({ algorithm, limit: { perUs } }: OracleLevel): number =>
  SPECS[algorithm].reachWindows * perUs;
