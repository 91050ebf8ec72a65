// Writes the head of a request. Its parts are those of a request that has been parsed, and are checked all the same: a
// line break in one of them would begin a request that no limit has decided.
import { LENGTH, TOKEN, VALUE } from "./response-head.ts";

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

export interface RequestHead {
  /** Lines without the one that frames the body, and without the empty line at the end. */
  readonly text: string;
  readonly declared: number | null; // Content-Length
}

/** The methods whose body is part of their meaning. */
const WITH_BODY: ReadonlySet<string> = new Set([
  "POST",
  "PUT",
  "PATCH",
  "QUERY",
  "PROPFIND",
  "PROPPATCH",
]);

export const expectsBody = (method: string): boolean => WITH_BODY.has(method);

interface HeadParts {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[]; // name, value, name, value
}

/** Null: some part of it cannot be in a request. */
export function requestHead(
  { method, path, headers }: HeadParts,
  host: string,
): RequestHead | null {
  if (!TOKEN.test(method) || !PATH.test(path)) return null;
  const connection = method === "HEAD" ? "close" : "keep-alive";
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: ${connection}\r\n`;
  let declared: number | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!;
    const value = headers[i + 1]!;
    if (!VALUE.test(value)) return null;
    const kind = kindOf(name);
    if (kind === "other") text += `${name}: ${value}\r\n`;
    else if (kind === "invalid" || declared !== null || !LENGTH.test(value)) return null;
    else declared = Number(value);
  }
  return { text, declared };
}

type NameKind = "other" | "length" | "invalid";

/** Clients send few names, so each is checked once. */
const KINDS = new Map<string, NameKind>();
const MOST_KINDS = 1_000;
const LONGEST_NAME = 64;

function kindOf(name: string): NameKind {
  const known = KINDS.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const isInvalid = !TOKEN.test(name) || OWN.has(lower);
  const kind = lower === "content-length" ? "length" : isInvalid ? "invalid" : "other";
  if (name.length > LONGEST_NAME) return kind;
  if (KINDS.size >= MOST_KINDS) KINDS.clear();
  KINDS.set(name, kind);
  return kind;
}
