// Reads the head of a response by the grammar of RFC 9112, and repairs nothing: a head with two readings would let the
// bytes of one response become a part of the next one.
import { Failure } from "../../reading/failure.ts";
import { NameCache } from "./name-cache.ts";

/** Names in lower case; a header that is repeated has a list. */
export type ResponseHeaders = Record<string, string | string[]>;

export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Bytes of the body, or CHUNKED, or UNTIL_CLOSE. */
  readonly length: number;
  /** No other response may follow on its connection. */
  readonly isLast: boolean;
  readonly keepAlive: string | null; // the header
}

export const CHUNKED = -1;
export const UNTIL_CLOSE = -2;

/** With its status line. The same limit as undici has. */
export const MOST_HEAD_BYTES = 16_384;

const STRAY = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;

/** The head before the empty line that begins at `end`, or a problem. `isHead`: the request's method is HEAD. */
export function parseHead(text: string, end: number, isHead: boolean): ResponseHead | Failure {
  if (end + 4 > MOST_HEAD_BYTES) return new Failure("the head is too long");
  const head = text.slice(0, end);
  if (STRAY.test(head)) return new Failure("a stray control character is in the head");
  const status = statusOf(head);
  if (status === null) return new Failure("the status line is malformed");
  const fields = new Fields();
  for (let at = lineEnd(head, 0) + 2; at < end;) {
    const to = lineEnd(head, at);
    const problem = fields.add(head, at, to);
    if (problem !== null) return new Failure(problem);
    at = to + 2;
  }
  return frameHead(fields, status, isHead, head.charCodeAt(7) === ZERO);
}

const ZERO = 0x30;

function lineEnd(head: string, from: number): number {
  const end = head.indexOf("\r\n", from);
  return end < 0 ? head.length : end;
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9][0-9]{2}(?: |\r|$)/;

function statusOf(head: string): number | null {
  return STATUS_LINE.test(head) ? Number(head.slice(9, 12)) : null;
}

const FRAMING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

/** The fields of one head, and what decides where its message ends. */
class Fields {
  readonly headers: ResponseHeaders = {};
  length: string | null = null;
  coding: string | null = null;
  connection: string | null = null;
  keepAlive: string | null = null;

  add(head: string, from: number, to: number): string | null {
    const colon = head.indexOf(":", from);
    const name = colon < 0 || colon > to ? null : fieldName(head.slice(from, colon));
    if (name === null) return "a header has no valid name";
    const value = trim(head, colon + 1, to);
    // Allowed (RFC 9112, 5), but readers differ in it.
    if (FRAMING.has(name) && isBlank(head.charCodeAt(to - 1))) return `blanks follow its ${name}`;
    if (name === "content-length") {
      if (this.length !== null) return "there are two lengths";
      this.length = value;
    } else if (name === "transfer-encoding") {
      if (this.coding !== null) return "there are two transfer codings";
      this.coding = value;
    } else if (name === "connection")
      this.connection = this.connection === null ? value : `${this.connection},${value}`;
    else if (name === "keep-alive") this.keepAlive = value;
    append(this.headers, name, value);
    return null;
  }
}

function frameHead(
  { headers, length, coding, connection, keepAlive }: Fields,
  status: number,
  isHead: boolean,
  isOld: boolean,
): ResponseHead | Failure {
  if (coding !== null) {
    if (length !== null) return new Failure("it has a length and a transfer coding");
    if (isOld) return new Failure("it has a transfer coding in HTTP/1.0");
    if (coding !== "chunked" && coding.toLowerCase() !== "chunked")
      return new Failure("its transfer coding is not chunked");
  }
  if (length !== null && !LENGTH.test(length)) return new Failure("its length is no number");
  const bytes = length === null ? UNTIL_CLOSE : Number(length);
  const isLast = isOld || closes(connection);
  if (status < 200 || status === 204 || status === 304) {
    // Another reader could take what follows for its body.
    const mayHaveBody = coding !== null || bytes > 0;
    if (mayHaveBody && status < 200) return new Failure("a preliminary response has a body");
    return { status, headers, length: 0, isLast: isLast || mayHaveBody, keepAlive };
  }
  if (isHead) return { status, headers, length: 0, isLast, keepAlive };
  if (coding !== null) return { status, headers, length: CHUNKED, isLast, keepAlive };
  return { status, headers, length: bytes, isLast: isLast || length === null, keepAlive };
}

/** A safe integer. */
export const LENGTH = /^[0-9]{1,15}$/;

const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;

const closes = (connection: string | null): boolean =>
  connection !== null && connection !== "keep-alive" && CLOSE.test(connection);

// ---------------------------------------------------------------- fields

/** Of the heads of requests too (RFC 9110, 5.5 and 5.6.2), read as Latin-1. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Of a field, or of a line that is not whole yet: no control character but the tab. */
export const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const NAMES = new NameCache((text) => (TOKEN.test(text) ? text.toLowerCase() : null));

/** In lower case; null: it is none. */
export const fieldName = (text: string): string | null => NAMES.of(text);

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

function trim(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function append(headers: ResponseHeaders, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (!Object.hasOwn(headers, name))
    // `constructor` and `__proto__` are names of headers as well.
    Object.defineProperty(headers, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else if (typeof before === "string") headers[name] = [before, value];
  else before.push(value);
}
