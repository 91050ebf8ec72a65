// What is wrong with a request before anybody looks at what it asks for. It spends nothing (LIM-C1).
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isRepeated } from "../credential.ts";
import { writeError } from "./answer.node.ts";
import type { Wire } from "./wire.ts";

export interface MessageFault {
  readonly status: number;
  readonly message: string;
}

const fault = (status: number, message: string): MessageFault => ({ status, message });

const FAULTS = {
  version: fault(400, "HTTP version not acceptable"),
  headers: fault(431, "Too many headers"),
  hosts: fault(400, "Host header not acceptable"),
  body: fault(413, "Request body too large"),
  coding: fault(501, "Transfer coding not supported"),
  oldChunks: fault(400, "Transfer-Encoding in HTTP/1.0"),
  upgrade: fault(501, "Upgrade not supported"),
  target: fault(400, "Request target not acceptable"),
  expectation: fault(417, "Expectation not supported"),
} as const;

export const EXPECTATION = FAULTS.expectation;

export const is100Continue = ({ headers }: IncomingMessage): boolean =>
  headers.expect?.toLowerCase() === "100-continue";

const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?#][^]*)?$/i;
const WEBSOCKET = /(?:^|,)\s*websocket\b/i;

/** Also gives a target in absolute form the shape of all others, with its own host (RFC 9112, 3.2.2). */
export function messageFault(
  from: IncomingMessage,
  { maxHeaders, maxBodyBytes }: Wire,
): MessageFault | null {
  const { headers, rawHeaders } = from;
  // Node also takes HTTP/0.9, which is a request line without any version, and 2.0.
  if (from.httpVersionMajor !== 1) return FAULTS.version;
  if (rawHeaders.length > 2 * maxHeaders) return FAULTS.headers;
  const { host: asSaid = from.httpVersionMinor === 0 ? "" : null } = headers;
  if (asSaid === null || !HOST.test(asSaid) || isRepeated(rawHeaders, "host")) return FAULTS.hosts;
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) {
    if (from.httpVersionMinor === 0) return FAULTS.oldChunks;
    if (coding.toLowerCase() !== "chunked") return FAULTS.coding;
  }
  if (Number(headers["content-length"] ?? 0) > maxBodyBytes) return FAULTS.body;
  if (headers.upgrade !== undefined && WEBSOCKET.test(headers.upgrade)) return FAULTS.upgrade;
  const url = from.url ?? "";
  if (url.startsWith("/") || (url === "*" && from.method === "OPTIONS")) return null;
  const [, host, rest = ""] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined || !HOST.test(host)) return FAULTS.target;
  headers.host = host;
  from.url = rest.startsWith("/") ? rest : `/${rest}`;
  return null;
}

const LINGER_MS = 2_000;

/** What comes behind a request that could be read in two ways is not taken for another request. */
const refused = new WeakSet<Socket>();

export const isBehindRefused = (from: IncomingMessage, to: ServerResponse): boolean =>
  (to.socket === null || from.socket.writableEnded) && refused.has(from.socket);

const KEEPS = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i;
const CLOSES = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/**
 * Where Node would go on. It drops the bytes behind an offer to upgrade that come with it, and would take those that come later, the
 * body of a dropped request, for a request. Of HTTP/1.0 it takes `keep-alive` for stronger than `close`, also in `Proxy-Connection`
 * (RFC 9112, 9.3 and C.2.2, has it the other way round): a proxy in front of the gateway sees no request there.
 */
export function isLastOnConnection({ httpVersionMinor, headers }: IncomingMessage): boolean {
  if (headers.upgrade !== undefined) return true;
  if (httpVersionMinor !== 0) return false;
  const { connection = "" } = headers;
  return !KEEPS.test(connection) || CLOSES.test(connection);
}

/** The request is answered, and its connection ends. */
export function endConnectionAfter(from: IncomingMessage, to: ServerResponse): void {
  refused.add(from.socket);
  to.shouldKeepAlive = false;
}

/**
 * Says it and closes the connection. Where only a body is too long it reads on for a moment: a client that is
 * cut off while it sends may never see the answer.
 */
export function refuseMessage(
  from: IncomingMessage,
  to: ServerResponse,
  { status, message }: MessageFault,
): void {
  const isSending = status === FAULTS.body.status && from.headers.expect === undefined;
  if (!isSending) {
    refused.add(from.socket);
    to.shouldKeepAlive = false;
  }
  writeError(to, status, message);
  if (isSending) readOnForAMoment(from);
}

export function readOnForAMoment(from: IncomingMessage): void {
  setTimeout(() => {
    if (!from.complete) from.destroy();
  }, LINGER_MS).unref();
}
