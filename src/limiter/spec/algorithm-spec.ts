// What the specification states of an algorithm, for the code that checks, draws or explains what a limiter did. It shares
// nothing with the traits that the limiter goes by.

export interface LimitFacts {
  readonly rate: number;
  readonly perUs: number; // infinite for a quota that never renews
  readonly gateways: number;
  readonly burst: number | "rate";
  readonly queue: number | "rate";
  readonly fixedWindowStart: "first_request" | "clock";
}

/** Both ends included, in microseconds since 1970. */
export interface TimeSpan {
  readonly fromUs: number;
  readonly toUs: number;
}

export interface WindowBound {
  readonly most: number;
  readonly because: string;
  /** By LIM-C11 itself, from the definition of the algorithm, or only measured. */
  readonly origin: "stated" | "derived" | "measured";
}

export interface AlgorithmSpec {
  /** For the documentation of the field `algorithm`. */
  readonly about: string;
  /** Attempts count, refused ones too (ALG-3), and limits can be smoothed (SMO-C5). */
  readonly countsAttempts: boolean;
  /** Only the newest attempts, as many as the rate, are stored (ALG-C9). */
  readonly isBounded: boolean;
  /** An admitted request leaves when it is its turn, and its window is that of this time (ALG-C10). */
  readonly delays: boolean;
  readonly countedBy: "store" | "gateway";
  /** Why requests that are under way together can be admitted beyond the limit (ALG-C5, ALG-C6). */
  readonly overshootsBy: "commands" | "mark" | null;
  /** Back to the start of the window, over a length of time before the request, or until nothing is owed. */
  readonly counts: "window" | "lookback" | "debt";
  /** How many windows back a request can still be a reason to refuse. */
  readonly reachWindows: number;
  /** The gateway options that only this algorithm reads. */
  readonly options: readonly ("fixedWindowStart" | "burst" | "queue")[];
  /** How many requests the budget admits at one instant, those included that wait for their turns. */
  budget(limit: LimitFacts): number;
  /** The most that the budget admits in any window of `per`, requests under way together left aside. */
  mostInWindow(limit: LimitFacts): WindowBound;
  /** The most that a budget which nothing has used before admits during a span, however short or long. */
  mostDuring(limit: LimitFacts, span: TimeSpan): number;
}
