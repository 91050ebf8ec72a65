// The body of a request on its way to the upstream: as fast as the upstream takes it, and no longer than allowed.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/**
 * A stream of its own, so that an upstream that answers before it has heard everything ends the sending and
 * not the connection of the client: what still comes of the body is read and thrown away.
 */
export function bodyOf(from: IncomingMessage, mostBytes: number, tooLong: () => void): Readable {
  const body = new Readable({ read: () => void from.resume() });
  let length = 0;
  from.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostBytes) tooLong();
    else if (!body.destroyed && !body.push(chunk)) from.pause();
  });
  from.on("end", () => {
    if (!body.destroyed) body.push(null);
  });
  from.on("close", () => {
    if (!from.complete) body.destroy();
  });
  body.on("close", () => void from.resume());
  return body;
}
