// The interface of all formats of logs: a line is read into columns, which are spans of bytes.

/** Reads lines of one file. It is reused for each line, so that a line leaves no garbage to collect. */
export interface LineReader {
  /** The bytes in which the columns of the last line are. */
  source: Uint8Array;
  /** Start and end of each wanted column, in the order in which columns were requested; start -1: it is missing. */
  readonly spans: Int32Array;
  /** Reads a line. Returns false if the line does not have this format. */
  readonly read: (bytes: Uint8Array, from: number, to: number) => boolean;
}

/** How the lines of one file are written. */
export interface Layout {
  /** Names of the columns; null: any name may be a column (JSON). */
  readonly columns: readonly string[] | null;
  readonly readerOf: (wanted: readonly string[]) => LineReader;
  /** Whether a line ends within quotes, so that its record goes on with the next line. Left out: a line is a record. */
  readonly endsWithin?: EndsWithin;
}

/** Whether a line ends within quotes. `isWithin`: it begins within quotes. */
export type EndsWithin = (
  bytes: Uint8Array,
  from: number,
  to: number,
  isWithin: boolean,
) => boolean;

/** The parts of a column that can be a field. */
const PARTS = ["whole", "method", "path", "address", "peer"] as const;
export type Part = (typeof PARTS)[number];

const SPACE = 32;
const SLASH = 47;
const COLON = 58;
const QUESTION = 63;
const COMMA = 44;
const BRACKET = 91;
const CLOSING_BRACKET = 93;

/** Narrows a span, in place, to a part of it. */
export function narrow(bytes: Uint8Array, span: Int32Array, at: number, part: Part): void {
  const from = span[at]!;
  const to = span[at + 1]!;
  switch (part) {
    case "whole":
      return;
    case "method":
      span[at + 1] = indexIn(bytes, SPACE, from, to);
      return;
    case "path":
      narrowToPath(bytes, span, at);
      return;
    case "address":
      narrowToAddress(bytes, span, at);
      return;
    case "peer":
      narrowToPeer(bytes, span, at);
  }
}

/** Narrows to the path, `/a` in `GET /a?b HTTP/1.1`, `https://host:443/a?b` and `/a?b`. */
function narrowToPath(bytes: Uint8Array, span: Int32Array, at: number): void {
  const to = span[at + 1]!;
  let from = span[at]!;
  let end = indexIn(bytes, SPACE, from, to);
  if (end < to && bytes[from] !== SLASH) {
    from = end + 1;
    end = indexIn(bytes, SPACE, from, to);
  }
  const colon = indexIn(bytes, COLON, from, end);
  if (bytes[from] !== SLASH && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH)
    from = Math.min(end, indexIn(bytes, SLASH, colon + 3, end));
  span[at] = from;
  span[at + 1] = indexIn(bytes, QUESTION, from, end);
}

/** Narrows to the first address, without port: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]:80`, `2001:db8::1`. */
function narrowToAddress(bytes: Uint8Array, span: Int32Array, at: number): void {
  const from = span[at]!;
  const to = span[at + 1]!;
  if (bytes[from] === BRACKET) {
    span[at] = from + 1;
    span[at + 1] = indexIn(bytes, CLOSING_BRACKET, from, indexIn(bytes, COMMA, from, to));
    return;
  }
  let colons = 0;
  let lastColon = to;
  let end = from;
  for (; end < to; end++) {
    const byte = bytes[end]!;
    if (byte === COMMA) break;
    if (byte === COLON) {
      colons++;
      lastColon = end;
    }
  }
  span[at + 1] = colons === 1 ? lastColon : end;
}

/** Narrows to an address before a port that is always there, even without brackets: `2001:db8::1:80`. */
function narrowToPeer(bytes: Uint8Array, span: Int32Array, at: number): void {
  const from = span[at]!;
  let colon = span[at + 1]! - 1;
  while (colon > from && bytes[colon] !== COLON) colon--;
  if (bytes[from] === BRACKET || colon <= from) narrowToAddress(bytes, span, at);
  else span[at + 1] = colon;
}

/** The index of a byte; `to` if the byte is not there. */
export function indexIn(bytes: Uint8Array, byte: number, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== byte) at++;
  return at;
}
