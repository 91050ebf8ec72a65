// A write is complete when it is stored. If the gateway cannot apply the write immediately, the client still gets the
// response, because only the response has the new secret. The gateway then applies the write later.
const AGAIN_MS = 400; // between two attempts: the polling interval of the gateway
const LONGEST_MS = 2_000; // the longest time that a response waits for applying

interface RetryTimes {
  readonly againMs: number;
  readonly longestMs: number;
}

/** Returns a function that applies changes and never rejects. It reports the first failure or delay, and retries. */
export function applyOrRetry(
  follow: () => Promise<void>,
  report: (line: string) => void,
  { againMs = AGAIN_MS, longestMs = LONGEST_MS }: Partial<RetryTimes> = {},
): () => Promise<void> {
  let isLate = false;
  const retryLater = (): void => {
    setTimeout(() => void attempt(), againMs).unref();
  };
  const attempt = async (): Promise<void> => {
    try {
      await follow();
    } catch {
      return retryLater(); // the failure is reported already
    }
    isLate = false;
    report("weir: all written changes are applied again");
  };
  return async () => {
    try {
      await within(longestMs, follow());
    } catch (error) {
      if (isLate) return;
      isLate = true;
      const why = error instanceof Error ? error.message : String(error);
      report(`weir: written changes may not be applied yet: ${why}`);
      retryLater();
    }
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("it took too long")), ms);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
