// Parses the head of a response by the grammar of RFC 9112, without repairs: if a head could be read in two ways, bytes
// of one response could become part of the next.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { NameCache } from "./name-cache.ts";

/** Name, value, name, value; names are in lower case. */
export type ResponseHeaders = readonly string[];

export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Number of bytes of the body, or CHUNKED, or UNTIL_CLOSE. */
  readonly length: number;
  /** The connection carries no further response. */
  readonly isLast: boolean;
  readonly keepAlive: string | null; // the value of Keep-Alive
}

export const CHUNKED = -1;
export const UNTIL_CLOSE = -2;

/** The longest head, including the status line; undici has the same limit. */
export const MOST_HEAD_BYTES = 16_384;

/**
 * Lines of earlier heads from one upstream, by index. Most lines of a head equal those of the head before, so they need
 * not be parsed again.
 */
export type SeenLines = HeaderLine[];

interface HeaderLine {
  readonly text: string; // with the line end
  readonly name: string;
  readonly value: string;
}

/** The largest number of cached lines. It is limited because each line keeps the head that contained it in memory. */
const MOST_SEEN = 32;

/** Parses the head before the empty line at `end`, or returns a problem. `isHead`: the request's method is HEAD. */
export function parseHead(
  text: string,
  end: number,
  isHead: boolean,
  seen: SeenLines,
): ResponseHead | Failure {
  if (end + 4 > MOST_HEAD_BYTES) return new Failure("the head is too long");
  let at = text.indexOf("\r\n") + 2;
  const statusLine = text.slice(0, at - 2);
  if (!STATUS_LINE.test(statusLine)) return new Failure("the status line is malformed");
  const framing = new Framing();
  const headers: string[] = [];
  for (let place = 0; at < end; place++) {
    const before = seen[place];
    const isSeen = before !== undefined && text.startsWith(before.text, at);
    const line = isSeen ? before : readLine(text, at);
    if (isFailure(line)) return line;
    if (!isSeen && place < MOST_SEEN) seen[place] = line;
    const problem = framing.add(line);
    if (problem !== null) return new Failure(problem);
    headers.push(line.name, line.value);
    at += line.text.length;
  }
  return framing.headOf(statusLine, headers, isHead);
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9][0-9]{2}(?: [\t\x20-\x7e\x80-\xff]*)?$/;

function readLine(head: string, from: number): HeaderLine | Failure {
  const to = head.indexOf("\r\n", from);
  const colon = head.indexOf(":", from);
  const name = colon < 0 || colon > to ? null : fieldName(head.slice(from, colon));
  if (name === null) return new Failure("a header has no valid name");
  const all = head.slice(colon + 1, to);
  if (!VALUE.test(all)) return new Failure("a stray control character is in the head");
  // Blanks are allowed here (RFC 9112, 5), but servers read them differently.
  if (FRAMING.has(name) && isBlank(all.charCodeAt(all.length - 1)))
    return new Failure(`blanks follow the value of its ${name}`);
  return { text: head.slice(from, to + 2), name, value: trim(all) };
}

const FRAMING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

/** The headers that determine where a message ends. */
class Framing {
  #length: string | null = null;
  #coding: string | null = null;
  #connection: string | null = null;
  #keepAlive: string | null = null;

  add({ name, value }: HeaderLine): string | null {
    if (name === "content-length") {
      if (this.#length !== null) return "there are two lengths";
      this.#length = value;
    } else if (name === "transfer-encoding") {
      if (this.#coding !== null) return "there are two transfer codings";
      this.#coding = value;
    } else if (name === "connection")
      this.#connection = this.#connection === null ? value : `${this.#connection},${value}`;
    else if (name === "keep-alive") this.#keepAlive = value;
    return null;
  }

  headOf(statusLine: string, headers: ResponseHeaders, isHead: boolean): ResponseHead | Failure {
    const [length, coding, keepAlive] = [this.#length, this.#coding, this.#keepAlive];
    const status = Number(statusLine.slice(9, 12));
    const isOld = statusLine.charCodeAt(7) === ZERO;
    if (coding !== null) {
      if (length !== null) return new Failure("it has a length and a transfer coding");
      if (isOld) return new Failure("it has a transfer coding in HTTP/1.0");
      if (coding !== "chunked" && coding.toLowerCase() !== "chunked")
        return new Failure("its transfer coding is not chunked");
    }
    if (length !== null && !LENGTH.test(length)) return new Failure("its length is no number");
    const bytes = length === null ? UNTIL_CLOSE : Number(length);
    const isLast = isOld || closes(this.#connection);
    if (status < 200 || status === 204 || status === 304) {
      // Another reader could take the next bytes for a body of this response.
      const mayHaveBody = coding !== null || bytes > 0;
      if (mayHaveBody && status < 200) return new Failure("a preliminary response has a body");
      return { status, headers, length: 0, isLast: isLast || mayHaveBody, keepAlive };
    }
    if (isHead) return { status, headers, length: 0, isLast, keepAlive };
    if (coding !== null) return { status, headers, length: CHUNKED, isLast, keepAlive };
    return { status, headers, length: bytes, isLast: isLast || length === null, keepAlive };
  }
}

const ZERO = 0x30;

/** A safe integer of at most 15 digits. */
export const LENGTH = /^[0-9]{1,15}$/;

const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;

const closes = (connection: string | null): boolean =>
  connection !== null && connection !== "keep-alive" && CLOSE.test(connection);

// ---------------------------------------------------------------- fields

/** Names of headers in requests and responses (RFC 9110, 5.6.2), read as Latin-1. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Values of headers, or parts of them: no control character except the tab (RFC 9110, 5.5). */
export const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const NAMES = new NameCache((text) => (TOKEN.test(text) ? text.toLowerCase() : null));

/** The name in lower case; null: the name is invalid. */
export const fieldName = (text: string): string | null => NAMES.of(text);

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
