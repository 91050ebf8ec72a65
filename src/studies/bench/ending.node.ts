// A run ends early if the user interrupts it, or if a process that the run needs ends. Then all waits of the run end.

export interface EndReason {
  readonly how: "interrupted" | "gone" | "capped";
  readonly why: string;
}

export interface BenchEnding {
  /** Ends the run; only the first call has an effect. */
  readonly end: (ended: EndReason) => void;
  /** Throws a Stop if the run ends before the promise is settled. */
  readonly orEnd: <T>(promise: Promise<T>) => Promise<T>;
}

export class Stop extends Error {
  readonly reason: EndReason;
  constructor(reason: EndReason) {
    super(reason.why);
    this.reason = reason;
  }
}

export function createEnding(): BenchEnding {
  const over = Promise.withResolvers<never>();
  // Marks the rejection as handled, because the run may end while nothing waits.
  over.promise.catch(() => {});
  return {
    end: (ended) => over.reject(new Stop(ended)),
    orEnd: (promise) => Promise.race([over.promise, promise]),
  };
}
