// Answers that are under way: their headers at once, or no end.
import type { ServerResponse } from "node:http";
import { resetConnection } from "./tls.node.ts";

export const flush = (to: ServerResponse): void => {
  if (!to.destroyed) to.flushHeaders();
};

/** An answer without a length ends with its connection, so only a reset tells that it was not the end. */
export function breakOff(to: ServerResponse): void {
  if (to.req.httpVersionMinor === 0 && to.socket !== null) resetConnection(to.socket);
  to.destroy();
}
