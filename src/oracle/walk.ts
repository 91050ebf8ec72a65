// Goes through a history request by request: what each level says is put to the past, then the request
// joins the past as the history recorded it.
import { micros } from "../core/units.ts";
import type { History } from "../scenario/history.ts";
import { answerOf, type LevelAnswer } from "./answer.ts";
import { startRunning, type Asking, type Running } from "./asking.ts";
import { bookOf, isInSteps, ledgerOf } from "./book.ts";
import type { Entry } from "./entries.ts";
import type { ExpectedEvent } from "./expected.ts";
import type { Attempt, Ledger } from "./ledger.ts";
import { isSmoothed } from "./levels.ts";
import { rowsAbove } from "./past.ts";
import { boundsOf } from "./smoothing.ts";
import type { OracleWorld } from "./world.ts";

export interface Visit {
  readonly entry: Entry;
  readonly answers: readonly LevelAnswer[];
  /** What the levels would say of the same request at another time, with the same past. */
  readonly answersAt: (stampUs: number) => readonly LevelAnswer[];
  readonly asking: Asking;
  readonly run: ReadonlyMap<string, Running>;
}

export interface Smoothed {
  readonly row: number;
  readonly key: string | null;
  readonly allowance: number | null; // null: open
  readonly events: readonly ExpectedEvent[];
}

/**
 * `look` sees every request before it joins the past; `after` hears of each smoothed budget it met. Whoever asks
 * about a few requests says which: of the others only those are judged that move an allowance.
 */
export function walk(
  history: History,
  world: OracleWorld,
  look: (visit: Visit) => void,
  after: (smoothed: Smoothed) => void,
  isAsked: (row: number) => boolean = () => true,
): void {
  const book = bookOf(history, world);
  const run = new Map<string, Running>();
  for (const entry of book.entries) {
    const isLooked = isAsked(entry.moment.row);
    if (!isLooked && !entry.levels.some(isSmoothed)) continue;
    const inSteps = isInSteps(entry.levels, entry.configuration.options);
    const asking = { book, world, epochUs: history.header.epochUs, entry, inSteps };
    const answers = answersFor(asking, run);
    if (isLooked) {
      let before: Asking["book"]["ledgers"] | null = null;
      look({
        entry,
        answers,
        asking,
        run,
        answersAt: (stampUs) => {
          before ??= ledgersBefore(asking);
          return answersFor(alone(asking, before, stampUs), copied(run));
        },
      });
    }
    for (const answer of answers)
      if (isSmoothed(answer.level)) after(commit(answer, asking, run.get(answer.ledger)!));
  }
}

function answersFor(asking: Asking, run: Map<string, Running>): LevelAnswer[] {
  let written = true;
  return asking.entry.levels.map((level) => {
    const ledger = ledgerOf(level, asking.entry.moment.gateway);
    const running = run.get(ledger) ?? startRunning();
    run.set(ledger, running);
    const answer = answerOf(level, asking, running, written);
    written &&= answer.answer.pass;
    return answer;
  });
}

const copied = (run: ReadonlyMap<string, Running>): Map<string, Running> =>
  new Map([...run].map(([ledger, running]) => [ledger, { ...running }]));

/** The same request at another time, as if nobody had called since it really came. */
function alone(asking: Asking, ledgers: Asking["book"]["ledgers"], stampUs: number): Asking {
  const { entry, book } = asking;
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
  return { ...asking, entry: { ...entry, moment }, book: { ...book, ledgers } };
}

/** Without those who came after the request. */
function ledgersBefore({ entry, book }: Asking): Asking["book"]["ledgers"] {
  const { row, gateway } = entry.moment;
  return new Map(
    entry.levels.map((level): [string, Ledger] => {
      const name = ledgerOf(level, gateway);
      const ledger = book.ledgers.get(name)!;
      return [name, { ...ledger, past: ledger.past.slice(0, rowsAbove(ledger, row)) }];
    }),
  );
}

const attemptOf = (ledger: Ledger, row: number): Attempt =>
  ledger.past[rowsAbove(ledger, row)]!.attempt;

/** What the request did to A, if it was written (LIM-C1, SMO-C6). */
function commit(
  { level, ledger, proposal }: LevelAnswer,
  { book, entry }: Asking,
  running: Running,
): Smoothed {
  const { row, hiUs } = entry.moment;
  const key = entry.admission.kind === "served" ? (entry.admission.client?.key.id ?? null) : null;
  const { certain, trace } = attemptOf(book.ledgers.get(ledger)!, row);
  const isMoved = proposal !== null && proposal.stepped.changes.length > 0;
  if (trace === "passing") running.givenBackUs = Math.max(running.givenBackUs, hiUs);
  // A step that was taken and whose request was given back can perhaps not be undone.
  if (!certain || (trace === "passing" && (isMoved || running.kept === null)))
    running.isOpen = true;
  if (running.isOpen || proposal === null) return { row, key, allowance: null, events: [] };
  if (trace === "visited" || trace === "passing")
    return { row, key, allowance: running.kept?.value ?? Number.NaN, events: [] };
  const { allowance, changes } = proposal.stepped;
  running.kept = { ...allowance, rule: boundsOf(level.limit) };
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
