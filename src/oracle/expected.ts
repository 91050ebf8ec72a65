// What the text allows, request by request.
import type { Micros } from "../core/units.ts";
import type { GatewayOptions } from "./configured.ts";
import type { Span } from "./level-answer.ts";

/** Whole seconds that a Retry-After may say. */
export interface Seconds {
  readonly fromS: number;
  readonly toS: number;
}

/** What the headers may tell of one budget (HDR-C2). */
export interface Told {
  readonly name: string;
  readonly windowS: number | null; // null: no whole number of seconds
  readonly limit: number;
  readonly remaining: Span;
  readonly resetUnixS: Span; // infinity: never
  readonly resetInS: Span;
}

export interface Headers {
  readonly form: GatewayOptions["rateLimitHeaders"];
  /** Whichever of them is told; none where no budget applies. */
  readonly budgets: readonly Told[];
}

/** Where both are true the timing, or the text, leaves the answer open. */
export interface Expected {
  readonly admit: boolean;
  readonly refuse: boolean;
  /** Of a refusal; null where several are allowed. */
  readonly refusalStatus: number | null;
  /** Scope of the budget that a refusal must name; null where it is open or no budget refuses. */
  readonly refusalScope: string | null;
  readonly retryAfter: Seconds | "absent" | null; // null: not asserted
  readonly headers: Headers | null; // null: not asserted
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

export interface Judgement {
  readonly rows: readonly Expected[];
  readonly events: readonly ExpectedEvent[];
  /** Keys with a smoothed budget whose allowance the timing leaves open: their events are not comparable. */
  readonly openKeys: ReadonlySet<string>;
  /**
   * Requests that the text itself leaves open, however exact the times: others may come between their operations
   * (ALG-C5, ALG-C6), or the scenario takes their store away (ALG-C8).
   */
  readonly openByText: ReadonlySet<number>;
  /** A of the smoothed budget behind each row, once the row is decided; NaN where there is none or it is open. */
  readonly allowance: Float64Array;
}

export const isDecided = (expected: Expected): boolean => expected.admit !== expected.refuse;
