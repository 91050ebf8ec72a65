// Types for what the specification allows for each request.
import type { Micros } from "../../kit/units.ts";
import type { OracleOptions } from "./configured.ts";
import type { Span } from "./level-answer.ts";

/** A range of whole seconds for Retry-After. */
export interface Seconds {
  readonly fromS: number;
  readonly toS: number;
}

/** What the headers may report about one budget (HDR-C2). */
export interface BudgetHeaders {
  readonly name: string;
  readonly windowS: number | null; // null if the window is not an integer number of seconds
  readonly limit: number;
  readonly remaining: Span;
  readonly resetUnixS: Span; // infinity: the budget never resets
  readonly resetInS: Span;
}

export interface ExpectedHeaders {
  readonly form: OracleOptions["rateLimitHeaders"];
  /** The budgets that the headers may report; empty if no budget applies. */
  readonly budgets: readonly BudgetHeaders[];
}

/** If admit and refuse are both true, the timing or the specification leaves the decision open. */
export interface Expected {
  readonly admit: boolean;
  readonly refuse: boolean;
  /** Status of a refusal; null if several are allowed. */
  readonly refusalStatus: number | null;
  /** Scope of the budget that a refusal must name; null if several may refuse, or none. */
  readonly refusalScope: string | null;
  readonly retryAfter: Seconds | "absent" | null; // null: not checked
  readonly headers: ExpectedHeaders | null; // null: not checked
  /** How long an admitted request waits for its turn (ALG-C10); null: not checked. */
  readonly delayUs: Span | null;
  readonly why: string;
}

export interface ExpectedEvent {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly stampUs: Micros;
  readonly row: number; // the request that caused the event
  readonly key: string;
  readonly budget: string;
  readonly value: number; // allowance after the event
}

export interface OracleResults {
  readonly rows: readonly Expected[];
  readonly events: readonly ExpectedEvent[];
  /** Keys with a smoothed budget whose allowance the timing does not determine: their events are not comparable. */
  readonly openKeys: ReadonlySet<string>;
  /**
   * Requests that the specification leaves open even with exact times, because other operations may run between those
   * of the request (ALG-C5, ALG-C6), or because the scenario has an outage of the store (ALG-C8).
   */
  readonly openByText: ReadonlySet<number>;
  /** The allowance after the decision of each row; NaN without a smoothed budget, or if several values are allowed. */
  readonly allowance: Float64Array;
}

export const isDecided = (expected: Expected): boolean => expected.admit !== expected.refuse;
