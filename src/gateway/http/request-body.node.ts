// Passes the body of a request to the upstream, as fast as the upstream reads, up to a largest length.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/**
 * The body as a separate stream: an upstream that responds before it has read everything ends this stream, but not the
 * client's connection. The rest of the body is read and dropped.
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

/** Buffers a body of small known length, to send it twice. Does not call `done` if the body is incomplete. */
export function bufferBody(from: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  from.on("data", (chunk: Buffer) => void chunks.push(chunk));
  from.on("end", () => done(Buffer.concat(chunks)));
}

/** Methods that may be repeated (RFC 9110, 9.2.2). TRACE is missing, because it is never forwarded. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const MOST_BUFFERED_BYTES = 16_384;

export const isRepeatable = ({ method = "", headers }: IncomingMessage): boolean =>
  IDEMPOTENT.has(method) &&
  headers["transfer-encoding"] === undefined &&
  Number(headers["content-length"] ?? 0) <= MOST_BUFFERED_BYTES;
