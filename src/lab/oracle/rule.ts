// How the oracle recomputes the decisions of one algorithm. It shares no rule with the limiter.
import type { EvaluationContext, Running } from "./context.ts";
import type { Proposal } from "./follow.ts";
import type { LedgerAttempt, Ledger, Past } from "./ledger.ts";
import type { OracleAnswer } from "./level-answer.ts";
import type { OracleLevel } from "./levels.ts";

export interface RuleAnswer {
  readonly answer: OracleAnswer;
  readonly proposal: Proposal | null; // change of the allowance, if it is smoothed
}

/** An earlier request that used up part of a budget. */
export interface Filler {
  readonly attempt: LedgerAttempt;
  readonly counts: "yes" | "maybe";
}

export interface OracleRule {
  /** `written` is true if the request stays in the level's log when the level refuses it. */
  answer(
    level: OracleLevel,
    context: EvaluationContext,
    ledger: Ledger,
    running: Running,
    written: boolean,
  ): RuleAnswer;
  /** The earlier requests that used up the budget. */
  fillers(level: OracleLevel, context: EvaluationContext, past: readonly Past[]): Filler[];
}

export const onlyAdmitted = (past: readonly Past[]): readonly Past[] =>
  past.filter(({ attempt }) => attempt.trace === "admitted");
