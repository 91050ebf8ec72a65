// Writes the head of a request. Its parts are those of a request that has been parsed, and are checked all the same: a
// line break in one of them would begin a request that no limit has decided.
import { NameCache } from "./name-cache.ts";
import { LENGTH, TOKEN, VALUE } from "./response-head.ts";

export interface RequestHead {
  /** Lines without the one that frames the body, and without the empty line at the end. */
  readonly text: string;
  readonly declared: number | null; // Content-Length
  readonly expectsBody: boolean; // by its method
  /** No other request may follow: servers have sent bodies with responses to HEAD, and have not read bodies of GET. */
  readonly isLast: boolean;
}

const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;

/** They frame the message, or concern the connection. */
const OWN: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/** The methods whose body is part of their meaning. */
const WITH_BODY: ReadonlySet<string> = new Set([
  "POST",
  "PUT",
  "PATCH",
  "QUERY",
  "PROPFIND",
  "PROPPATCH",
]);

interface HeadParts {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[]; // name, value, name, value
  readonly body: object | null;
}

/** Null: some part of it cannot be in a request. */
export function requestHead(
  { method, path, headers, body }: HeadParts,
  host: string,
): RequestHead | null {
  if (!TOKEN.test(method) || !PATH.test(path)) return null;
  const expectsBody = WITH_BODY.has(method);
  const isLast = method === "HEAD" || (body !== null && !expectsBody);
  const connection = isLast ? "close" : "keep-alive";
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: ${connection}\r\n`;
  let declared: number | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!;
    const value = headers[i + 1]!;
    if (!VALUE.test(value)) return null;
    const kind = KINDS.of(name);
    if (kind === "other") text += `${name}: ${value}\r\n`;
    else if (kind === "invalid" || declared !== null || !LENGTH.test(value)) return null;
    else declared = Number(value);
  }
  return { text, declared, expectsBody, isLast };
}

type NameKind = "other" | "length" | "invalid";

const KINDS = new NameCache<NameKind>((name) => {
  const lower = name.toLowerCase();
  if (lower === "content-length") return "length";
  return !TOKEN.test(name) || OWN.has(lower) ? "invalid" : "other";
});

/** The head as it is sent before a body of `length` bytes; null: before chunks. */
export function withFraming({ text, expectsBody }: RequestHead, length: number | null): string {
  if (length === null) return `${text}transfer-encoding: chunked\r\n\r\n`;
  return length > 0 || expectsBody ? `${text}content-length: ${length}\r\n\r\n` : `${text}\r\n`;
}
