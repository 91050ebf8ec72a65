// How the oracle recomputes the decisions of one algorithm. It shares no rule with the limiter.
import type { Asking, Running } from "./asking.ts";
import type { Proposal } from "./follow.ts";
import type { Attempt, Ledger, Past } from "./ledger.ts";
import type { Answer } from "./level-answer.ts";
import type { Level } from "./levels.ts";

export interface RuleAnswer {
  readonly answer: Answer;
  readonly proposal: Proposal | null; // of an allowance, where one moves
}

/** An earlier request that counts against a budget. */
export interface Filler {
  readonly attempt: Attempt;
  readonly counts: "yes" | "maybe";
}

export interface OracleRule {
  /** `written`: should this level refuse, the request stays in its log. */
  answer(
    level: Level,
    context: Asking,
    ledger: Ledger,
    running: Running,
    written: boolean,
  ): RuleAnswer;
  /** The earlier requests that the budget was full of. */
  fillers(level: Level, context: Asking, past: readonly Past[]): Filler[];
}

export const onlyAdmitted = (past: readonly Past[]): readonly Past[] =>
  past.filter(({ attempt }) => attempt.trace === "admitted");
