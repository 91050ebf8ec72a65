interface Interruption {
  readonly stop: Promise<"stop">;
  readonly isWanted: () => boolean;
  /** Stops handling signals: the next one ends the process. */
  readonly release: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * The first Ctrl-C or SIGTERM ends the work in order; the same signal again ends the process immediately. A second
 * signal of the other kind is ignored: Ctrl-C also reaches the parent process, which may forward it as SIGTERM.
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
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  return { stop, isWanted: () => wanted, release };
}
