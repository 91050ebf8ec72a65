// Writes the heads of requests. All parts were parsed from a request before, but are checked again: a line break in one
// of them would begin another request, which no limit has decided.
import { NameCache } from "./name-cache.ts";
import { LENGTH, TOKEN, VALUE } from "./response-head.ts";

export interface RequestHead {
  /** All lines except the line with the body's length and the empty line at the end. */
  readonly text: string;
  readonly declared: number | null; // the value of Content-Length
  readonly expectsBody: boolean; // the method usually has a body
  /** Sends `Connection: close`, because some servers send bodies in responses to HEAD, or do not read bodies of GET. */
  readonly isLast: boolean;
}

const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;

/** Headers that frame the message or concern the connection. `RequestHeads` rejects them in its input. */
const OWN: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/** The methods that usually have a body. */
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

interface SentLine {
  readonly name: string;
  readonly value: string;
  readonly text: string; // with the line end; empty for Content-Length, which is written later
}

/** The largest number of cached lines, to save memory. A longer head is written anew each time. */
const MOST_LINES = 64;

/** Writes the heads of requests to one upstream. Headers that equal those of the last head are not checked again. */
export class RequestHeads {
  readonly #host: string;
  readonly #lines: SentLine[] = []; // by index in the head
  #count = 0; // number of lines in the last head
  #block = ""; // lines of the last head
  #declared: number | null = null;

  constructor(host: string) {
    this.#host = host;
  }

  /** Null if a part is not valid in a request. */
  write({ method, path, headers, body }: HeadParts): RequestHead | null {
    if (!TOKEN.test(method) || !PATH.test(path)) return null;
    if (!this.#isAsBefore(headers) && !this.#writeBlock(headers)) return null;
    const expectsBody = WITH_BODY.has(method);
    const isLast = method === "HEAD" || (body !== null && !expectsBody);
    const connection = isLast ? "close" : "keep-alive";
    const first = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nconnection: ${connection}\r\n`;
    return { text: first + this.#block, declared: this.#declared, expectsBody, isLast };
  }

  #isAsBefore(headers: readonly string[]): boolean {
    if (headers.length !== 2 * this.#count) return false;
    for (let place = 0; place < this.#count; place++) {
      const line = this.#lines[place]!;
      if (headers[2 * place] !== line.name || headers[2 * place + 1] !== line.value) return false;
    }
    return true;
  }

  #writeBlock(headers: readonly string[]): boolean {
    this.#count = -1; // invalid until the block is complete
    const texts: string[] = [];
    let declared: number | null = null;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const line = this.#lineAt(i / 2, headers[i]!, headers[i + 1]!);
      if (line === null) return false;
      if (line.text !== "") texts.push(line.text);
      else if (declared !== null) return false;
      else declared = Number(line.value);
    }
    this.#block = texts.join("");
    this.#declared = declared;
    if (headers.length <= 2 * MOST_LINES) this.#count = headers.length / 2;
    return true;
  }

  #lineAt(place: number, name: string, value: string): SentLine | null {
    const before = this.#lines[place];
    if (before !== undefined && before.name === name && before.value === value) return before;
    const text = lineOf(name, value);
    if (text === null) return null;
    const line = { name, value, text };
    if (place < MOST_LINES) this.#lines[place] = line;
    return line;
  }
}

/** The line of a header; empty for a valid Content-Length; null: the header is invalid. */
function lineOf(name: string, value: string): string | null {
  const kind = KINDS.of(name);
  if (kind === "length") return LENGTH.test(value) ? "" : null;
  return kind === "other" && VALUE.test(value) ? `${name}: ${value}\r\n` : null;
}

type NameKind = "other" | "length" | "invalid";

const KINDS = new NameCache<NameKind>((name) => {
  const lower = name.toLowerCase();
  if (lower === "content-length") return "length";
  return !TOKEN.test(name) || OWN.has(lower) ? "invalid" : "other";
});

/** The complete head of a request whose body has `length` bytes. A `length` of null: the body is chunked. */
export function withFraming({ text, expectsBody }: RequestHead, length: number | null): string {
  if (length === null) return `${text}transfer-encoding: chunked\r\n\r\n`;
  return length > 0 || expectsBody ? `${text}content-length: ${length}\r\n\r\n` : `${text}\r\n`;
}
