// Reads HTTP/1.1 requests by the grammar of RFC 9112 and nothing else: a second opinion that shares no code with the parser of Node.
// It repairs nothing that the RFC lets a recipient repair, except where a comment states it. Bytes are letters of latin1.

export interface ReadRequest {
  readonly method: string;
  readonly target: string;
  readonly minor: 0 | 1;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface Reading {
  /** Whole ones, up to the first that is not, or that ends the connection. */
  readonly requests: readonly ReadRequest[];
  /** The head of one whose body is not all there, with as much of it as there is. */
  readonly partial: ReadRequest | null;
  /** Between: the next byte begins another request. Partial: more bytes could. Closed, wrong: nothing does. */
  readonly end: "between" | "partial" | "closed" | "wrong";
  readonly why: string | null; // wrong: by which section
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** More blanks than one between its parts are allowed to a recipient (3), and are gone in what is forwarded. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([\x21-\x7e]+) +HTTP\/1\.([01])$/;
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;
const SIZE_LINE = /^(0*[0-9A-Fa-f]{1,13})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/;

/** What no reading goes on after. */
class Wrong extends Error {}

const wrong = (why: string): never => {
  throw new Wrong(why);
};

/** There are not enough bytes. */
const MORE = Symbol("more");

class Bytes {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** A line without its CRLF. A CR or LF by itself is wrong as soon as it is there (2.2). */
  line(): string | typeof MORE {
    for (let i = this.at; i < this.text.length; i++) {
      const code = this.text.charCodeAt(i);
      if (code === 10) wrong("2.2: a line ends with LF alone");
      if (code !== 13) continue;
      if (i + 1 === this.text.length) return MORE;
      if (this.text.charCodeAt(i + 1) !== 10) wrong("2.2: CR without LF");
      const line = this.text.slice(this.at, i);
      this.at = i + 2;
      return line;
    }
    return MORE;
  }

  take(count: number): string | typeof MORE {
    if (this.at + count > this.text.length) return MORE;
    this.at += count;
    return this.text.slice(this.at - count, this.at);
  }

  rest(): string {
    return this.text.slice(this.at);
  }

  /** Empty lines before a request delimit nothing (2.2). Node also passes over a single CR or LF there. */
  passEmptyLines(): void {
    while (this.text[this.at] === "\r" || this.text[this.at] === "\n") this.at++;
  }
}

type Fields = [name: string, value: string][];

/** Null: they are not all there. */
function fieldsIn(bytes: Bytes): Fields | null {
  const fields: Fields = [];
  for (;;) {
    const line = bytes.line();
    if (line === MORE) return null;
    if (line === "") return fields;
    if (line.startsWith(" ") || line.startsWith("\t")) wrong("5.2: a folded line");
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon));
    if (!TOKEN.test(name)) wrong("5.1: no name before the colon");
    const value = line.slice(colon + 1).replaceAll(/^[ \t]+|[ \t]+$/g, "");
    if (!VALUE.test(value)) wrong("RFC 9110, 5.5: a control character in a value");
    fields.push([name, value]);
  }
}

export const valuesOf = (headers: ReadRequest["headers"], name: string): readonly string[] =>
  headers.flatMap(([each, value]) => (each.toLowerCase() === name ? [value] : []));

export const listOf = (headers: ReadRequest["headers"], name: string): readonly string[] =>
  valuesOf(headers, name).flatMap((value) =>
    value.split(",").map((each) => each.replaceAll(/^[ \t]+|[ \t]+$/g, "").toLowerCase()),
  );

/** The length of the body, or "chunked" (6.3). */
function framingOf(headers: Fields, minor: 0 | 1): number | "chunked" {
  const codings = valuesOf(headers, "transfer-encoding");
  const lengths = valuesOf(headers, "content-length");
  if (codings.length > 0) {
    if (lengths.length > 0) wrong("6.1: both Transfer-Encoding and Content-Length");
    if (minor === 0) wrong("6.1: Transfer-Encoding in HTTP/1.0");
    if (codings.length > 1 || codings[0]!.toLowerCase() !== "chunked")
      wrong("6.1: a coding that is not chunked alone");
    return "chunked";
  }
  if (lengths.length === 0) return 0;
  if (lengths.length > 1) wrong("6.3: two lengths");
  if (!/^[0-9]{1,15}$/.test(lengths[0]!)) wrong("RFC 9110, 8.6: a length that is no number");
  return Number(lengths[0]);
}

/** The body; MORE where it is not all there, with what there is in `partial`. */
function chunksIn(bytes: Bytes, partial: string[]): string | typeof MORE {
  for (;;) {
    const line = bytes.line();
    if (line === MORE) return MORE;
    const [, digits] = SIZE_LINE.exec(line) ?? wrong("7.1: no chunk size");
    const size = Number.parseInt(digits!, 16);
    if (size === 0) return fieldsIn(bytes) === null ? MORE : partial.join("");
    const data = bytes.take(size);
    if (data === MORE) {
      partial.push(bytes.rest());
      return MORE;
    }
    partial.push(data);
    const end = bytes.text.slice(bytes.at, bytes.at + 2);
    if (!"\r\n".startsWith(end)) wrong("7.1: a chunk is longer than it says");
    if (end.length < 2) return MORE;
    bytes.at += 2;
  }
}

function checkTarget(method: string, target: string): void {
  if (target === "*") {
    if (method !== "OPTIONS") wrong("3.2.4: an asterisk for another method");
    return;
  }
  if (target.startsWith("/")) return;
  const [, authority] =
    /^https?:\/\/([^/?#@]+)(?:[/?#].*)?$/i.exec(target) ?? wrong("3.2: no target");
  if (!HOST.test(authority!)) wrong("3.2.2: no host in the target");
}

function checkHost(headers: Fields, minor: 0 | 1): void {
  const hosts = valuesOf(headers, "host");
  if (hosts.length > 1 || (hosts.length === 0 && minor === 1)) wrong("3.2: not one Host");
  if (hosts.length === 1 && !HOST.test(hosts[0]!)) wrong("3.2: a Host that is none");
}

const persists = ({ headers, minor }: ReadRequest): boolean => {
  const options = listOf(headers, "connection");
  return !options.includes("close") && (minor === 1 || options.includes("keep-alive"));
};

export function readStrictly(text: string): Reading {
  const bytes = new Bytes(text);
  const requests: ReadRequest[] = [];
  const resultOf = (end: Reading["end"], partial: ReadRequest | null = null): Reading => ({
    requests,
    partial,
    end,
    why: null,
  });
  try {
    for (;;) {
      bytes.passEmptyLines();
      if (bytes.at === text.length) return resultOf("between");
      const line = bytes.line();
      if (line === MORE) return resultOf("partial");
      const [, method = "", target = "", digit] =
        REQUEST_LINE.exec(line) ?? wrong("3: no request line");
      const minor = digit === "0" ? 0 : 1;
      const headers = fieldsIn(bytes);
      if (headers === null) return resultOf("partial");
      checkTarget(method, target);
      checkHost(headers, minor);
      const head = { method, target, minor, headers } as const;
      const framing = framingOf(headers, minor);
      const partial: string[] = [];
      const from = bytes.at;
      let body: string | typeof MORE;
      try {
        body = framing === "chunked" ? chunksIn(bytes, partial) : bytes.take(framing);
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        return {
          requests,
          partial: { ...head, body: partial.join("") },
          end: "wrong",
          why: error.message,
        };
      }
      if (body === MORE) {
        const soFar = framing === "chunked" ? partial.join("") : text.slice(from);
        return resultOf("partial", { ...head, body: soFar });
      }
      const request = { ...head, body };
      requests.push(request);
      if (!persists(request)) return resultOf("closed");
    }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { requests, partial: null, end: "wrong", why: error.message };
  }
}
