// What the text allows for every request of a finished history. Quadratic on purpose: each request is
// judged by looking through the whole past of its budgets again.
import { micros } from "../core/units.ts";
import type { History } from "../scenario/history.ts";
import { answerOf, type LevelAnswer } from "./answer.ts";
import { startRunning, type Asking, type Running } from "./asking.ts";
import { bookOf, isInSteps, ledgerOf, type Entry } from "./book.ts";
import type { Expected, ExpectedEvent, Judgement } from "./expected.ts";
import type { Attempt, Ledger } from "./ledger.ts";
import { isSmoothed } from "./levels.ts";
import { expectedWithoutStore } from "./outage.ts";
import { rowsAbove } from "./past.ts";
import { retryAfterOf } from "./retry-after.ts";
import type { OracleWorld } from "./world.ts";

export function judge(history: History, world: OracleWorld): Judgement {
  const book = bookOf(history, world);
  const run = new Map<string, Running>();
  const rows: Expected[] = [];
  const events: ExpectedEvent[] = [];
  const openKeys = new Set<string>();
  const allowance = new Float64Array(history.requests.length).fill(Number.NaN);
  for (const entry of book.entries) {
    const { row } = entry.moment;
    const answers = answersFor(
      entry,
      {
        book,
        world,
        epochUs: history.header.epochUs,
        entry,
        inSteps: isInSteps(entry.levels, entry.configuration.options),
      },
      run,
    );
    rows.push(expectedOf(entry, answers, world));
    const key = entry.admission.kind === "served" ? entry.admission.client?.key.id : undefined;
    for (const { level, ledger, proposal } of answers) {
      if (!isSmoothed(level)) continue;
      const followed = run.get(ledger)!;
      const attempt = attemptOf(book.ledgers.get(ledger)!, row);
      if (!attempt.certain || entry.between) followed.isOpen = true;
      else if (attempt.trace !== "visited" && proposal !== null) {
        followed.kept = proposal.stepped.allowance;
        followed.wholes.set(row, Math.floor(followed.kept.value));
        for (const { event, stampUs, value } of proposal.stepped.changes) {
          events.push({
            event,
            stampUs: micros(stampUs),
            row,
            key: key ?? "",
            budget: level.budget,
            value,
          });
        }
      }
      if (followed.isOpen && key !== undefined) openKeys.add(key);
      if (!followed.isOpen) allowance[row] = followed.kept?.value ?? Number.NaN;
    }
  }
  return { rows, events, openKeys, allowance };
}

const attemptOf = (ledger: Ledger, row: number): Attempt =>
  ledger.past[rowsAbove(ledger, row)]!.attempt;

function answersFor(entry: Entry, asking: Asking, run: Map<string, Running>): LevelAnswer[] {
  let written = true;
  return entry.levels.map((level) => {
    const ledger = ledgerOf(level, entry.moment.gateway);
    const followed = run.get(ledger) ?? startRunning();
    run.set(ledger, followed);
    const answer = answerOf(level, asking, followed, written);
    written &&= answer.answer.pass;
    return answer;
  });
}

const EITHER: Expected = {
  admit: true,
  refuse: true,
  refusalStatus: null,
  refusalScope: null,
  retryAfter: null,
  why: "",
};

function expectedOf(entry: Entry, answers: readonly LevelAnswer[], world: OracleWorld): Expected {
  const { admission, outage, configuration } = entry;
  if (entry.between)
    return { ...EITHER, why: "a change of configuration came while the request was on its way" };
  if (admission.kind === "open") return { ...EITHER, why: admission.why };
  if (admission.kind === "refused")
    return {
      ...EITHER,
      admit: false,
      refusalStatus: unique(admission.statuses),
      why: admission.why,
    };
  if (outage !== "none" && answers.some(({ level }) => level.algorithm !== "drl")) {
    const isMixed = answers.some(({ level }) => level.algorithm === "drl");
    return expectedWithoutStore(isMixed ? "maybe" : outage, configuration.options);
  }
  return expectedOfLevels(entry, answers, world);
}

function expectedOfLevels(
  entry: Entry,
  answers: readonly LevelAnswer[],
  world: OracleWorld,
): Expected {
  const refusers = firstRefusers(answers);
  const admit = answers.every(({ answer }) => answer.pass);
  const refuse = refusers.length > 0;
  const why =
    (refuse ? refusers : answers)
      .map(({ level, answer }) => `${level.scope}: ${answer.why} (${level.because.join(", ")})`)
      .join("; ") || "no limit applies";
  const statuses = new Set(refusers.map(({ level }) => (level.scope === "quota" ? 403 : 429)));
  const waits =
    entry.admission.kind === "served" && entry.admission.client?.merged.throttled === true;
  if (waits && refuse)
    return { ...EITHER, why: `a throttled request waits and is judged again (LIM-C9); ${why}` };
  return {
    admit,
    refuse,
    refusalStatus: unique([...statuses]),
    refusalScope: refusers.length === 1 ? refusers[0]!.level.scope : null,
    retryAfter:
      admit || refusers.length !== 1 ? null : retryAfterOf(refusers[0]!, answers, entry, world),
    why,
  };
}

/** The levels that may be the first to refuse: every one before them may pass. */
function firstRefusers(answers: readonly LevelAnswer[]): LevelAnswer[] {
  const end = answers.findIndex(({ answer }) => !answer.pass);
  return answers.slice(0, end < 0 ? answers.length : end + 1).filter(({ answer }) => answer.refuse);
}

const unique = <T>(values: readonly T[]): T | null => (values.length === 1 ? values[0]! : null);
