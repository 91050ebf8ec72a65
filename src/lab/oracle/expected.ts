// What the specification allows, request by request.
import type { Micros } from "../../kit/units.ts";
import type { OracleOptions } from "./configured.ts";
import type { Span } from "./level-answer.ts";

/** Whole seconds that a Retry-After may have. */
export interface Seconds {
  readonly fromS: number;
  readonly toS: number;
}

/** What the headers may report of one budget (HDR-C2). */
export interface BudgetHeaders {
  readonly name: string;
  readonly windowS: number | null; // null: no whole number of seconds
  readonly limit: number;
  readonly remaining: Span;
  readonly resetUnixS: Span; // infinity: never
  readonly resetInS: Span;
}

export interface ExpectedHeaders {
  readonly form: OracleOptions["rateLimitHeaders"];
  /** The budgets that the headers may report; none if no budget applies. */
  readonly budgets: readonly BudgetHeaders[];
}

/** If both are true, the timing or the specification leaves the decision open. */
export interface Expected {
  readonly admit: boolean;
  readonly refuse: boolean;
  /** Of a refusal; null if several are allowed. */
  readonly refusalStatus: number | null;
  /** Scope of the budget that a refusal must name; null if it is open or no budget refuses. */
  readonly refusalScope: string | null;
  readonly retryAfter: Seconds | "absent" | null; // null: not asserted
  readonly headers: ExpectedHeaders | null; // null: not asserted
  /** How long an admitted request waits for its turn (ALG-C10); null: not asserted. */
  readonly delayUs: Span | null;
  readonly why: string;
}

export interface ExpectedEvent {
  readonly event: "RateLimitSmoothingUp" | "RateLimitSmoothingDown";
  readonly stampUs: Micros;
  readonly row: number; // the request at which it shows
  readonly key: string;
  readonly budget: string;
  readonly value: number; // the new allowance
}

export interface OracleResults {
  readonly rows: readonly Expected[];
  readonly events: readonly ExpectedEvent[];
  /** Keys with a smoothed budget whose allowance the timing leaves open: their events are not comparable. */
  readonly openKeys: ReadonlySet<string>;
  /**
   * Requests that the specification itself leaves open, however exact the times: operations of others may run between
   * theirs (ALG-C5, ALG-C6), or the scenario takes their store away (ALG-C8).
   */
  readonly openByText: ReadonlySet<number>;
  /** A of the smoothed budget after each row, once the row is decided; NaN if there is none or it is open. */
  readonly allowance: Float64Array;
}

export const isDecided = (expected: Expected): boolean => expected.admit !== expected.refuse;
