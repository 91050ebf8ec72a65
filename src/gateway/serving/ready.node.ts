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

/** Does nothing without a channel to a parent, or if the parent has ended. */
export function sendReady(ready: GatewayAddresses): void {
  const message: ReadyMessage = { ready };
  process.send?.(message, undefined, undefined, () => {});
}

/** Null if the process ends first. Everything that it has printed until then can be read from its streams. */
export async function waitUntilReady(child: ChildProcess): Promise<GatewayAddresses | null> {
  const { promise, resolve } = Promise.withResolvers<GatewayAddresses | null>();
  const onMessage = (message: unknown): void => {
    if (isReady(message)) resolve(message.ready);
  };
  const onEnd = (): void => resolve(null);
  child.on("message", onMessage).once("close", onEnd);
  const ready = await promise;
  child.off("message", onMessage).off("close", onEnd);
  // Its output was written before the message, so this turn of the event loop reads both.
  await new Promise((next) => setImmediate(next));
  return ready;
}

const isReady = (message: unknown): message is ReadyMessage =>
  typeof message === "object" && message !== null && "ready" in message;
