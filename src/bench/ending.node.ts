// A run may end before its time: somebody interrupts it, or a process that it needs is gone. Everything that is
// waited for is waited for beside that.

export interface Ended {
  readonly how: "interrupted" | "gone" | "capped";
  readonly why: string;
}

export interface Ending {
  /** The first reason counts. */
  readonly end: (ended: Ended) => void;
  /** Throws a Stop where it ends before the promise is settled. */
  readonly orEnd: <T>(promise: Promise<T>) => Promise<T>;
}

export class Stop extends Error {
  readonly ended: Ended;
  constructor(ended: Ended) {
    super(ended.why);
    this.ended = ended;
  }
}

export function ending(): Ending {
  const over = Promise.withResolvers<never>();
  // Nobody may be waiting at the moment when it ends.
  over.promise.catch(() => {});
  return {
    end: (ended) => over.reject(new Stop(ended)),
    orEnd: (promise) => Promise.race([over.promise, promise]),
  };
}
