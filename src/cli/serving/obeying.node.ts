// A write is done when it is written. Where the gateway cannot follow it at once, whoever wrote is answered all the
// same, because a secret is told only there; the gateway goes on trying by itself.
const AGAIN_MS = 400; // as often as it follows what others write

/** Never fails, and tells once that it is behind. */
export function obeying(
  follow: () => Promise<void>,
  tell: (line: string) => void,
  againMs = AGAIN_MS,
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
      await follow();
    } catch (error) {
      if (isBehind) return;
      isBehind = true;
      const why = error instanceof Error ? error.message : String(error);
      tell(`weir: what was written is not obeyed yet: ${why}`);
      again();
    }
  };
}
