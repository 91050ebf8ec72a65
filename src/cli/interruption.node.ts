export interface Interruption {
  readonly stop: Promise<"stop">;
  readonly isWanted: () => boolean;
}

/** The first Ctrl-C ends the work in good order; the second one ends it at once. */
export function interruption(): Interruption {
  const { promise: stop, resolve } = Promise.withResolvers<"stop">();
  let wanted = false;
  process.once("SIGINT", () => {
    wanted = true;
    resolve("stop");
  });
  return { stop, isWanted: () => wanted };
}
