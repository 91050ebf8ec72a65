// Reads lines by a template: nginx's log_format or Apache's LogFormat, in the notation of the server. Most other text
// formats are templates too, written here in nginx's notation.
import { Failure } from "../../kit/reading/failure.ts";
import { indexIn, type Layout, type LineReader } from "./line-reader.ts";

/** A column and the text that follows it. */
interface Piece {
  readonly column: string;
  readonly after: Uint8Array; // empty: the column ends with the line
}

export interface Template {
  readonly before: Uint8Array;
  readonly pieces: readonly Piece[];
}

const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
const encoder = new TextEncoder();

export function templateLayout({ before, pieces }: Template): Layout {
  return {
    columns: pieces.map(({ column }) => column),
    readerOf: (wanted) => {
      const slots = pieces.map(({ column }) => wanted.indexOf(column));
      // To save time, columns after the last wanted one are not searched: most lines end in a long user agent.
      const count = slots.findLastIndex((slot) => slot >= 0) + 1;
      return templateReader(before, pieces.slice(0, count), slots, wanted.length);
    },
  };
}

function templateReader(
  before: Uint8Array,
  pieces: readonly Piece[],
  slots: readonly number[],
  wanted: number,
): LineReader {
  const spans = new Int32Array(2 * wanted).fill(-1);
  const count = pieces.length;
  const texts = pieces.map(({ after }) => after);
  const firsts = Uint8Array.from(pieces, ({ after }) => after[0] ?? 0);
  const kinds = Uint8Array.from(pieces, kindOf);
  const reader: LineReader = {
    source: before,
    spans,
    read: (bytes, from, to) => {
      reader.source = bytes;
      if (before.length > 0 && !hasText(bytes, from, to, before)) return false;
      let at = from + before.length;
      for (let index = 0; index < count; index++) {
        const kind = kinds[index]!;
        const first = firsts[index]!;
        let end = at;
        if (kind <= TEXT) {
          while (end < to && bytes[end] !== first) end++;
          if (kind === TEXT) end = endOf(bytes, end, to, texts[index]!);
        } else end = endOfKind(kind, bytes, at, to, texts[index]!);
        if (end >= to && kind !== LAST) return false;
        const slot = slots[index]!;
        if (slot >= 0) {
          spans[2 * slot] = at;
          spans[2 * slot + 1] = end;
        }
        at = kind === BYTE ? end + 1 : end + texts[index]!.length;
      }
      return true;
    },
  };
  return reader;
}

/** Kinds of columns, by what ends them. */
const BYTE = 0;
const TEXT = 1;
const QUOTED = 2; // ends at a quote; servers escape quotes within it by a backslash
const TIME = 3; // may contain the space before a time zone, as in nginx
const LAST = 4; // ends with the line

function kindOf({ column, after }: Piece): number {
  if (after.length === 0) return LAST;
  if (after[0] === QUOTE) return QUOTED;
  if (column === "time_local" && after[0] === SPACE) return TIME;
  return after.length === 1 ? BYTE : TEXT;
}

/** The index of the text after a column; `to`: it is missing. */
function endOfKind(
  kind: number,
  bytes: Uint8Array,
  from: number,
  to: number,
  text: Uint8Array,
): number {
  if (kind === LAST) return to;
  if (kind === TIME) return endOf(bytes, indexIn(bytes, SPACE, from, to) + 1, to, text);
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE && hasText(bytes, at, to, text)) return at;
    if (byte === BACKSLASH) at++;
  }
  return to;
}

function endOf(bytes: Uint8Array, from: number, to: number, text: Uint8Array): number {
  for (let at = from; at < to; at = indexIn(bytes, text[0]!, at + 1, to))
    if (hasText(bytes, at, to, text)) return at;
  return to;
}

function hasText(bytes: Uint8Array, at: number, to: number, text: Uint8Array): boolean {
  if (at + text.length > to) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** A column of a template: its name, and the text that always surrounds its value, such as the brackets of a time. */
type Column = { readonly column: string; readonly opens?: string; readonly closes?: string };

/** Parses a template. `next` reads a column at an index, and returns null if there is none. */
function templateOf(
  text: string,
  next: (at: number) => (Column & { readonly end: number }) | null,
): Template | Failure {
  const texts = [""];
  const columns: string[] = [];
  for (let at = 0; at < text.length;) {
    const found = next(at);
    if (found === null) {
      texts[texts.length - 1] += text[at++]!;
      continue;
    }
    texts[texts.length - 1] += found.opens ?? "";
    columns.push(found.column);
    texts.push(found.closes ?? "");
    at = found.end;
  }
  if (columns.length === 0) return new Failure("it has no columns, such as $remote_addr or %h");
  const empty = texts.findIndex((each, i) => each === "" && i > 0 && i < columns.length);
  if (empty > 0)
    return new Failure(
      `nothing is between ${columns[empty - 1]} and ${columns[empty]}, so that their values cannot be separated`,
    );
  return {
    before: encoder.encode(texts[0]),
    pieces: columns.map((column, i) => ({ column, after: encoder.encode(texts[i + 1]) })),
  };
}

const NGINX_COLUMN = /\$(?:\{(\w+)\}|(\w+))/y;

/** Parses `log_format main '...' '...';`, or only the text within the quotes. */
export function nginxTemplate(text: string): Template | Failure {
  const plain = text.trim().replace(/;$/, "").trimEnd();
  const directive = /^log_format\s+\S+\s+(?:escape=\w+\s+)?([^]*)$/.exec(plain)?.[1];
  const quoted = directive ?? (/^'[^]*'$/.test(plain) ? plain : null);
  const parts = quoted === null ? null : [...quoted.matchAll(/'([^']*)'|"([^"]*)"/g)];
  const own = parts === null ? text : parts.map(([, a, b]) => a ?? b ?? "").join("");
  return templateOf(own, (at) => {
    NGINX_COLUMN.lastIndex = at;
    const match = NGINX_COLUMN.exec(own);
    return match === null ? null : { column: match[1] ?? match[2]!, end: NGINX_COLUMN.lastIndex };
  });
}

const APACHE_COLUMN = /%(?:!?\d{3}(?:,\d{3})*)?[<>]?(?:\{([^}]*)\})?(\^?[a-zA-Z]{1,2})/y;

/** Parses `LogFormat "..." name`, or only the text within the quotes, with or without its backslashes. */
export function apacheTemplate(text: string): Template | Failure {
  const inside = /^\s*LogFormat\s+"([\s\S]*?)"(?:\s+[\w-]+)?\s*$/.exec(text)?.[1] ?? text;
  const own = inside.replaceAll(String.raw`\"`, '"').replaceAll(String.raw`\t`, "\t");
  return templateOf(own, (at) => {
    APACHE_COLUMN.lastIndex = at;
    const match = APACHE_COLUMN.exec(own);
    if (match === null) return null;
    const [whole, argument, rawLetters = ""] = match;
    // Only `%^ti` and `%^to` have two letters; after others, the second letter is text.
    const letters = rawLetters.startsWith("^") ? rawLetters : rawLetters[0]!;
    const end = at + whole.length - (rawLetters.length - letters.length);
    const column = argument === undefined ? `%${letters}` : `%{${argument}}${letters}`;
    return column === "%t" ? { column, opens: "[", closes: "]", end } : { column, end };
  });
}
