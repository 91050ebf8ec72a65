// How the oracle recomputes the decisions of one algorithm. It shares no rule with the limiter.
import type { EvaluationContext, Running } from "./context.ts";
import type { Proposal } from "./follow.ts";
import type { LedgerAttempt, Ledger, Past } from "./ledger.ts";
import type { OracleAnswer } from "./level-answer.ts";
import type { OracleLevel } from "./levels.ts";

export interface RuleAnswer {
  readonly answer: OracleAnswer;
  readonly proposal: Proposal | null; // of an allowance, where one moves
}

/** An earlier request that counts against a budget. */
export interface Filler {
  readonly attempt: LedgerAttempt;
  readonly counts: "yes" | "maybe";
}

export interface OracleRule {
  /** `written`: if this level refuses, the request stays in its log. */
  answer(
    level: OracleLevel,
    context: EvaluationContext,
    ledger: Ledger,
    running: Running,
    written: boolean,
  ): RuleAnswer;
  /** The earlier requests that the budget was full of. */
  fillers(level: OracleLevel, context: EvaluationContext, past: readonly Past[]): Filler[];
}

export const onlyAdmitted = (past: readonly Past[]): readonly Past[] =>
  past.filter(({ attempt }) => attempt.trace === "admitted");
