// The answer of one level to one request, which the level's algorithm computes from the past of the level's budget.
import type { EvaluationContext, Running } from "./context.ts";
import { ledgerOf } from "./book.ts";
import { ruleOf } from "./by-algorithm.ts";
import type { Proposal } from "./follow.ts";
import { open, type OracleAnswer } from "./level-answer.ts";
import type { OracleLevel } from "./levels.ts";
import { pastOf } from "./past.ts";
import type { Filler } from "./rule.ts";

export interface LevelAnswer {
  readonly level: OracleLevel;
  readonly ledger: string;
  readonly answer: OracleAnswer;
  readonly proposal: Proposal | null;
}

/** `written` is true if the request stays in the level's log when the level refuses it. */
export function answerOf(
  level: OracleLevel,
  name: string, // name of the level's ledger
  context: EvaluationContext,
  running: Running,
  written: boolean,
): LevelAnswer {
  const ledger = context.book.ledgers.get(name);
  if (ledger === undefined)
    throw new Error(`row ${context.entry.moment.row} is missing from its ledger ${name}`);
  const { answer, proposal } = ruleOf(level).answer(level, context, ledger, running, written);
  const other = hasOtherAlgorithmCounted(level, context);
  return {
    level,
    ledger: name,
    answer: other ? open("another algorithm counted this budget a moment ago") : answer,
    proposal,
  };
}

/** The earlier requests that used up a budget. */
export function fillersOf(level: OracleLevel, context: EvaluationContext): Filler[] {
  const { book, world, entry, inSteps } = context;
  const reach = { sinceUs: Number.NEGATIVE_INFINITY, inSteps };
  const past = pastOf(ledgerOf(book, entry, level), entry.moment, world, reach);
  return ruleOf(level).fillers(level, context, past);
}

/** If another algorithm counted a budget in the last two windows, the budget may admit its capacity again (LIM-C11). */
function hasOtherAlgorithmCounted(level: OracleLevel, { book, entry }: EvaluationContext): boolean {
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
