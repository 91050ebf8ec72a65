// Goes through a history request by request. Each level is evaluated with its past requests; then the request is added
// to them as the history recorded it.
import { micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import { answerOf, type LevelAnswer } from "./answer.ts";
import { startRunning, type EvaluationContext, type Running } from "./context.ts";
import { bookOf, isInSteps } from "./book.ts";
import type { Entry } from "./entries.ts";
import type { ExpectedEvent } from "./expected.ts";
import type { LedgerAttempt, Ledger } from "./ledger.ts";
import { isSmoothed } from "./levels.ts";
import { rowsAbove } from "./past.ts";
import { boundsOf } from "./smoothing.ts";
import type { OracleWorld } from "./world.ts";

export interface Visit {
  readonly entry: Entry;
  readonly answers: readonly LevelAnswer[];
  /** What the levels would answer to the same request at another time, with the same past. */
  readonly answersAt: (stampUs: number) => readonly LevelAnswer[];
  readonly context: EvaluationContext;
  readonly run: ReadonlyMap<string, Running>;
}

interface Smoothed {
  readonly row: number;
  readonly key: string | null;
  readonly allowance: number | null; // null: the timing allows several values
  readonly events: readonly ExpectedEvent[];
}

/**
 * Calls `look` with each request before the request is added to the past, and `after` with each smoothed budget of the
 * request. Requests for which `isWanted` is false are evaluated only if they have a smoothed budget.
 */
export function walk(
  history: History,
  world: OracleWorld,
  look: (visit: Visit) => void,
  after: (smoothed: Smoothed) => void,
  isWanted: (row: number) => boolean = () => true,
): void {
  const book = bookOf(history, world);
  const run = new Map<string, Running>();
  for (const entry of book.entries) {
    const isVisited = isWanted(entry.moment.row);
    if (!isVisited && !entry.levels.some(isSmoothed)) continue;
    const inSteps = isInSteps(entry.levels, entry.configuration.options);
    const context = { book, world, epochUs: history.header.epochUs, entry, inSteps };
    const answers = answersFor(context, run);
    if (isVisited) {
      let before: EvaluationContext["book"]["ledgers"] | null = null;
      look({
        entry,
        answers,
        context,
        run,
        answersAt: (stampUs) => {
          before ??= ledgersBefore(context);
          return answersFor(contextAt(context, before, stampUs), copyRun(run));
        },
      });
    }
    for (const answer of answers)
      if (isSmoothed(answer.level)) after(commit(answer, context, run.get(answer.ledger)!));
  }
}

function answersFor(context: EvaluationContext, run: Map<string, Running>): LevelAnswer[] {
  let written = true;
  const { levels, ledgers } = context.entry;
  return levels.map((level, index) => {
    const ledger = ledgers[index]!;
    let running = run.get(ledger);
    if (running === undefined) run.set(ledger, (running = startRunning()));
    const answer = answerOf(level, ledger, context, running, written);
    written &&= answer.answer.pass;
    return answer;
  });
}

const copyRun = (run: ReadonlyMap<string, Running>): Map<string, Running> =>
  new Map([...run].map(([ledger, running]) => [ledger, { ...running }]));

/** The context of the same request if it were sent at `stampUs`, with no other request in between. */
function contextAt(
  context: EvaluationContext,
  ledgers: EvaluationContext["book"]["ledgers"],
  stampUs: number,
): EvaluationContext {
  const { entry, book } = context;
  const { row, gateway, loUs, fromUs, toUs, flightFromUs, flightToUs } = entry.moment;
  const byUs = stampUs - loUs;
  const moment = {
    row,
    gateway,
    loUs: stampUs,
    hiUs: stampUs,
    fromUs: fromUs + byUs,
    toUs: toUs + byUs,
    flightFromUs: flightFromUs + byUs,
    flightToUs: flightToUs + byUs,
  };
  return { ...context, entry: { ...entry, moment }, book: { ...book, ledgers } };
}

/** The ledgers with only the requests before this one. */
function ledgersBefore({ entry, book }: EvaluationContext): EvaluationContext["book"]["ledgers"] {
  const { row } = entry.moment;
  return new Map(
    entry.ledgers.map((name): [string, Ledger] => {
      const ledger = book.ledgers.get(name)!;
      return [name, { ...ledger, past: ledger.past.slice(0, rowsAbove(ledger, row)) }];
    }),
  );
}

const attemptOf = (ledger: Ledger, row: number): LedgerAttempt =>
  ledger.past[rowsAbove(ledger, row)]!.attempt;

/** The later attempt with the latest times of both: if clocks differ, the earlier attempt may have the later time. */
const latestOf = (before: LedgerAttempt | null, attempt: LedgerAttempt): LedgerAttempt => ({
  ...attempt,
  fromUs: Math.max(before?.fromUs ?? -Infinity, attempt.fromUs),
  toUs: Math.max(before?.toUs ?? -Infinity, attempt.toUs),
  hiUs: Math.max(before?.hiUs ?? -Infinity, attempt.hiUs),
});

/** Applies the request's effect on the allowance, if the request was written (LIM-C1, SMO-C6). */
function commit(
  { level, ledger, proposal }: LevelAnswer,
  { book, entry }: EvaluationContext,
  running: Running,
): Smoothed {
  const { row } = entry.moment;
  const key = entry.admission.kind === "served" ? (entry.admission.client?.key.id ?? null) : null;
  const attempt = attemptOf(book.ledgers.get(ledger)!, row);
  const { certain, trace } = attempt;
  const isMoved = proposal !== null && proposal.stepped.changes.length > 0;
  if (trace === "passing") running.lastRefunded = latestOf(running.lastRefunded, attempt);
  else if (trace !== "visited") running.lastWritten = latestOf(running.lastWritten, attempt);
  // If a request changed the allowance and was then refunded, the change may or may not have been undone.
  if (!certain || (trace === "passing" && (isMoved || running.record === null)))
    running.isOpen = true;
  if (running.isOpen || proposal === null) return { row, key, allowance: null, events: [] };
  if (trace === "visited" || trace === "passing")
    return { row, key, allowance: running.record?.value ?? Number.NaN, events: [] };
  const { allowance, changes } = proposal.stepped;
  running.record = { ...allowance, rule: boundsOf(level.limit) };
  running.wholes.set(row, Math.floor(allowance.value));
  const events = changes.map(({ event, stampUs, value }) => ({
    event,
    stampUs: micros(stampUs),
    row,
    key: key ?? "",
    budget: level.budget,
    value,
  }));
  return { row, key, allowance: allowance.value, events };
}
