// Rejects malformed requests before they are routed. Rejected requests spend nothing (LIM-C1).
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isRepeated } from "../credential.ts";
import { writeError } from "./answer.node.ts";
import type { Wire } from "./wire.ts";

interface MessageFault {
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

/** Returns null for a valid request. Changes a target in absolute form to a path and a host (RFC 9112, 3.2.2). */
export function messageFault(
  from: IncomingMessage,
  { maxHeaders, maxBodyBytes }: Wire,
): MessageFault | null {
  const { headers, rawHeaders } = from;
  // Node also accepts 2.0 and HTTP/0.9, a request line without a version.
  if (from.httpVersionMajor !== 1) return FAULTS.version;
  if (rawHeaders.length > 2 * maxHeaders) return FAULTS.headers;
  const { host: hostHeader = from.httpVersionMinor === 0 ? "" : null } = headers;
  if (hostHeader === null || !HOST.test(hostHeader) || isRepeated(rawHeaders, "host"))
    return FAULTS.hosts;
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

/** Connections whose last request two servers could read differently. Later bytes must not be parsed as a request. */
const refused = new WeakSet<Socket>();

export const isAfterRefused = (from: IncomingMessage, to: ServerResponse): boolean =>
  (to.socket === null || from.socket.writableEnded) && refused.has(from.socket);

const KEEPS = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i;
const CLOSES = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/**
 * Whether the connection has to end after this request, though Node would continue. If a request offers an upgrade,
 * Node drops the bytes that arrive with it, and would parse the rest of its body as a request. In HTTP/1.0, Node
 * prefers `keep-alive` to `close`, unlike RFC 9112 (9.3, C.2.2) and perhaps unlike a proxy before the gateway.
 */
export function isLastOnConnection({ httpVersionMinor, headers }: IncomingMessage): boolean {
  if (headers.upgrade !== undefined) return true;
  if (httpVersionMinor !== 0) return false;
  const { connection = "" } = headers;
  return !KEEPS.test(connection) || CLOSES.test(connection);
}

/** The request still gets its response; then the connection ends. */
export function endConnectionAfter(from: IncomingMessage, to: ServerResponse): void {
  refused.add(from.socket);
  to.shouldKeepAlive = false;
}

/**
 * Responds and closes the connection. If only the body is too long, reads on for a moment, because a client that is cut
 * off while sending may miss the response.
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
