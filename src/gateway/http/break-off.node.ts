// Responses in progress: send their headers at once, or break them off.
import type { ServerResponse } from "node:http";
import { resetConnection } from "./tls.node.ts";

export const flush = (to: ServerResponse): void => {
  if (!to.destroyed) to.flushHeaders();
};

/** The end of the connection ends a response without a length, so only a reset marks it as incomplete. */
export function breakOff(to: ServerResponse): void {
  if (to.req.httpVersionMinor === 0 && to.socket !== null) resetConnection(to.socket);
  to.destroy();
}
