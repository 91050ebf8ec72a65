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

/** A body of a known and small length, kept so that it can be sent twice. Nothing is called if it does not come. */
export function keptBodyOf(from: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  from.on("data", (chunk: Buffer) => void chunks.push(chunk));
  from.on("end", () => done(Buffer.concat(chunks)));
}

/** Those that may be sent twice (RFC 9110, 9.2.2). TRACE is one as well, and nobody needs it. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const MOST_KEPT_BYTES = 16_384;

export const isRepeatable = ({ method = "", headers }: IncomingMessage): boolean =>
  IDEMPOTENT.has(method) &&
  headers["transfer-encoding"] === undefined &&
  Number(headers["content-length"] ?? 0) <= MOST_KEPT_BYTES;
