export interface Interruption {
  readonly stop: Promise<"stop">;
  readonly isWanted: () => boolean;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The first Ctrl-C, or whoever stops processes, ends the work in good order; the second one ends it at once. */
export function interruption(): Interruption {
  const { promise: stop, resolve } = Promise.withResolvers<"stop">();
  let wanted = false;
  const end = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
    wanted = true;
    resolve("stop");
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { stop, isWanted: () => wanted };
}
