// What the specification states of an algorithm, for code that checks, generates or explains decisions of a limiter.
// This file is independent of the traits that the limiter uses.

export interface LimitFacts {
  readonly rate: number;
  readonly perUs: number; // infinite: a quota that never renews
  readonly gateways: number;
  readonly burst: number | "rate";
  readonly queue: number | "rate";
  readonly fixedWindowStart: "first_request" | "clock";
}

/** A time span in microseconds since 1970; both ends are included. */
export interface TimeSpan {
  readonly fromUs: number;
  readonly toUs: number;
}

export interface WindowBound {
  readonly most: number;
  readonly because: string;
  /** Where the bound is from: LIM-C11, the definition of the algorithm, or measurements. */
  readonly origin: "stated" | "derived" | "measured";
}

export interface AlgorithmSpec {
  /** The sentence about the algorithm in the documentation of the field `algorithm`. */
  readonly about: string;
  /** Refused requests count too (ALG-3), and limits can be smoothed (SMO-C5). */
  readonly countsAttempts: boolean;
  /** Stores only the newest attempts, as many as the rate (ALG-C9). */
  readonly isBounded: boolean;
  /** An admitted request waits for its turn, and counts at the time of that turn (ALG-C10). */
  readonly delays: boolean;
  readonly countedBy: "store" | "gateway";
  /** Why overlapping requests can be admitted beyond the limit (ALG-C5, ALG-C6). */
  readonly overshootsBy: "commands" | "mark" | null;
  /** How long a request counts: until its window ends, for a fixed time, or until its debt is paid. */
  readonly counts: "window" | "lookback" | "debt";
  /** For how many windows a request can cause refusals. */
  readonly reachWindows: number;
  /** The gateway options that only this algorithm reads. */
  readonly options: readonly ("fixedWindowStart" | "burst" | "queue")[];
  /** How many requests the budget admits at one instant, including those that wait for their turns. */
  budget(limit: LimitFacts): number;
  /** The most that the budget admits in any window of `per`, if requests do not overlap. */
  mostInWindow(limit: LimitFacts): WindowBound;
  /** The most that an unused budget admits during a span of any length. */
  mostDuring(limit: LimitFacts, span: TimeSpan): number;
}
