// Errors of connections to an upstream, and which of them allow a second try.

/** Codes of closed connections, perhaps of an idle one that closed just when the request was sent. */
const CLOSED: ReadonlySet<unknown> = new Set([
  "UND_ERR_SOCKET",
  "UPSTREAM_CLOSED",
  "ECONNRESET",
  "EPIPE",
]);

/** Codes of connections that did not open. The request was not sent, so another upstream may get it. */
const UNREACHED: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "UPSTREAM_CONNECT_TIMEOUT",
]);

const LATE: ReadonlySet<unknown> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UPSTREAM_CONNECT_TIMEOUT",
  "UPSTREAM_HEADERS_TIMEOUT",
  "UPSTREAM_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

interface UpstreamError {
  readonly isClosed: boolean;
  readonly isUnsent: boolean;
  readonly isLate: boolean;
}

export function kindOf(error: Error): UpstreamError {
  const code = "code" in error ? error.code : null;
  return { isClosed: CLOSED.has(code), isUnsent: UNREACHED.has(code), isLate: LATE.has(code) };
}

/** Why a request is aborted at its upstream. */
export const CLIENT_LEFT = new Error("the client has left");
