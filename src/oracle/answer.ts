// What one level says of one request: the past of its budget, put to its algorithm.
import type { Asking, Running } from "./asking.ts";
import { ledgerOf } from "./book.ts";
import { ruleOf } from "./by-algorithm.ts";
import type { Proposal } from "./follow.ts";
import { open, type Answer } from "./level-answer.ts";
import type { Level } from "./levels.ts";

export interface LevelAnswer {
  readonly level: Level;
  readonly ledger: string;
  readonly answer: Answer;
  readonly proposal: Proposal | null;
}

/** `written`: should this level refuse, the request stays in its log. */
export function answerOf(
  level: Level,
  asking: Asking,
  running: Running,
  written: boolean,
): LevelAnswer {
  const name = ledgerOf(level, asking.entry.moment.gateway);
  const ledger = asking.book.ledgers.get(name);
  if (ledger === undefined)
    throw new Error(`row ${asking.entry.moment.row} is missing from its ledger ${name}`);
  const { answer, proposal } = ruleOf(level).answer(level, asking, ledger, running, written);
  const other = wasCountedOtherwise(level, asking);
  return {
    level,
    ledger: name,
    answer: other ? open("another algorithm counted this budget a moment ago") : answer,
    proposal,
  };
}

/** LIM-C11: a change of the algorithm may grant one further budget. */
function wasCountedOtherwise(level: Level, { book, entry }: Asking): boolean {
  const ledgers = book.siblings.get(level.budget)!;
  if (ledgers.length === 1) return false;
  return ledgers
    .flatMap((name) => book.ledgers.get(name)?.past ?? [])
    .some(
      ({ attempt: { row, algorithm, hiUs } }) =>
        algorithm !== level.algorithm &&
        row < entry.moment.row &&
        hiUs > entry.moment.loUs - 2 * level.limit.perUs,
    );
}
