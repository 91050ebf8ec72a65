export interface Interruption {
  readonly stop: Promise<"stop">;
  readonly isWanted: () => boolean;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * The first Ctrl-C, or whoever stops processes, ends the work in good order; the second of its kind ends it at once. Of
 * another kind it says the same again: Ctrl-C reaches whoever started this process too, who may pass it on as SIGTERM.
 */
export function interruption(): Interruption {
  const { promise: stop, resolve } = Promise.withResolvers<"stop">();
  let wanted = false;
  const end = (signal: NodeJS.Signals): void => {
    process.off(signal, end);
    wanted = true;
    resolve("stop");
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { stop, isWanted: () => wanted };
}
