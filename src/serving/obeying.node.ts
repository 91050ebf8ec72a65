// A write is done when it is written. If the gateway cannot follow it at once, the client is answered all the same, because
// a secret is shown only there; the gateway goes on trying by itself.
const AGAIN_MS = 400; // as often as it follows what others write
const LONGEST_MS = 2_000; // a database that hangs may keep the follower waiting for longer

export interface ObeyingTimes {
  readonly againMs: number;
  readonly longestMs: number;
}

/** Never fails, and reports once that it is behind. */
export function obeying(
  follow: () => Promise<void>,
  tell: (line: string) => void,
  { againMs = AGAIN_MS, longestMs = LONGEST_MS }: Partial<ObeyingTimes> = {},
): () => Promise<void> {
  let isBehind = false;
  const again = (): void => {
    setTimeout(() => void attempt(), againMs).unref();
  };
  const attempt = async (): Promise<void> => {
    try {
      await follow();
    } catch {
      return again(); // it is told already
    }
    isBehind = false;
    tell("weir: everything that was written is obeyed again");
  };
  return async () => {
    try {
      await within(longestMs, follow());
    } catch (error) {
      if (isBehind) return;
      isBehind = true;
      const why = error instanceof Error ? error.message : String(error);
      tell(`weir: what was written may not be obeyed yet: ${why}`);
      again();
    }
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("it takes too long")), ms);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
