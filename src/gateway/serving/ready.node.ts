// How a program that starts `weir serve` learns its addresses: from a message on the channel of the child process.
// Lines on standard error are for people, and their words may change.
import type { ChildProcess } from "node:child_process";

export interface GatewayAddresses {
  readonly gateway: string;
  readonly admin: string;
}

interface ReadyMessage {
  readonly ready: GatewayAddresses;
}

/** Sends the addresses to the parent process. Does nothing if there is no channel, or if the parent has ended. */
export function sendReady(ready: GatewayAddresses): void {
  const message: ReadyMessage = { ready };
  process.send?.(message, undefined, undefined, () => {});
}

/** Returns the addresses when the child is ready; null if it ends first. Its output so far is then in its streams. */
export async function waitUntilReady(child: ChildProcess): Promise<GatewayAddresses | null> {
  const { promise, resolve } = Promise.withResolvers<GatewayAddresses | null>();
  const onMessage = (message: unknown): void => {
    if (isReady(message)) resolve(message.ready);
  };
  const onEnd = (): void => resolve(null);
  child.on("message", onMessage).once("close", onEnd);
  const ready = await promise;
  child.off("message", onMessage).off("close", onEnd);
  // The child wrote its output before the message; in this turn of the event loop its streams receive it.
  await new Promise((next) => setImmediate(next));
  return ready;
}

const isReady = (message: unknown): message is ReadyMessage =>
  typeof message === "object" && message !== null && "ready" in message;
