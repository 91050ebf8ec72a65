// Strict JSON for requests and records. An integer that a double cannot represent becomes a bigint, so that 64-bit
// fields are exact. A duplicate field is an error.
import {
  errorAt,
  type Path,
  type Problem,
  isVanishing,
  VANISHING,
} from "../../kit/reading/problems.ts";

export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface ReadJson {
  readonly value: JsonValue | undefined; // undefined: there are problems, or there is no body
  readonly problems: readonly Problem[];
}

const DEEPEST = 32;

/** The largest number of problems that are reported for one body; more are not searched. */
export const MOST_SHOWN = 20;

/** Parses a body and finds all its problems, or one if the syntax is invalid or it has more than `most` values. */
export function readJson(
  text: string,
  most = Infinity,
  fix = "send less, or raise limits.record_bytes, which bounds it",
): ReadJson {
  if (most !== Infinity && holdsMore(text, most)) {
    const message = `has more than ${most} fields and items`;
    return { value: undefined, problems: [errorAt("JSN-SIZE", [], message, fix)] };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `the body is not JSON: ${error.message}`;
    return { value: undefined, problems: [errorAt("JSN-SYNTAX", [], message)] };
  }
  const problems = strictProblemsIn(text);
  if (problems.length > 0) return { value: undefined, problems };
  // Integers of up to 15 digits are exact in a double, and parsing without a reviver is many times as fast.
  if (/\d{16}/.test(text)) value = (JSON.parse as ParseWithSource)(text, exactInteger);
  return { value: value as JsonValue, problems };
}

const exactInteger: Reviver = (_, value, { source }) => {
  if (typeof value !== "number") return value;
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(source!) ? value : BigInt(source!);
};

/** Formats a value as JSON that `readJson` can parse. A bigint is written with all its digits. */
export const writeJson = (value: unknown, space?: number): string =>
  JSON.stringify(value, asWritten, space);

const asWritten = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? (JSON as unknown as RawJson).rawJSON(String(value)) : value;

// The types of the standard library do not include these yet.
type Reviver = (name: string, value: unknown, at: { readonly source?: string }) => unknown;
type ParseWithSource = (text: string, reviver: Reviver) => unknown;
interface RawJson {
  readonly rawJSON: (text: string) => unknown;
}

/** Whether a number is infinite as a double. Integers are excluded, because they become bigints. */
const isInfinite = (token: string): boolean =>
  /^-?\d/.test(token) && /[.eE]/.test(token) && Math.abs(Number(token)) === Infinity;

/** The most digits of an integer: fields have 64 bits, and parsing a million digits would block all requests. */
const MOST_DIGITS = 40;
const isTooLong = (token: string): boolean =>
  token.length > MOST_DIGITS &&
  /^-?\d+$/.test(token) &&
  token.replace("-", "").length > MOST_DIGITS;

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);

/** Whether a text, valid or not, has more values than `most`, by counting commas and opening brackets. */
function holdsMore(text: string, most: number): boolean {
  let left = most;
  for (let at = 0; at < text.length; at++)
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case 0x2c: // ,
      case 0x5b: // [
      case 0x7b: // {
        if (left-- === 0) return true;
        break;
    }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Index of the quotation mark that ends the string: an even number of backslashes precedes it. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

/** A number in valid JSON. */
const NUMBER = /[\d.eE+-]+/y;

interface Open {
  readonly names: Map<string, number> | null; // how often each name has occurred; null: a list
  name: string;
  index: number;
}

/** Problems that `JSON.parse` accepts: duplicate fields, numbers that become infinite or zero, and excessive depth. */
function strictProblemsIn(text: string): Problem[] {
  const problems: Problem[] = [];
  const open: Open[] = [];
  const path = (): Path => open.map(({ names, name, index }) => (names === null ? index : name));
  const note = (code: string, message: string): void =>
    void problems.push(errorAt(code, path(), message));
  let last = "";
  for (let at = 0; at < text.length && problems.length < MOST_SHOWN; at++) {
    const here = open.at(-1);
    const letter = text.charAt(at);
    if (letter === '"') {
      const from = at;
      at = endOfString(text, from);
      last = text.slice(from, at + 1);
    } else if (letter === "{" || letter === "[") {
      if (open.length === DEEPEST)
        return [errorAt("JSN-DEPTH", path(), `is nested more than ${DEEPEST} levels deep`)];
      open.push({ names: letter === "{" ? new Map() : null, name: "", index: 0 });
    } else if (letter === "}" || letter === "]") open.pop();
    else if (letter === ",") here!.index++;
    else if (letter === ":" && here?.names) {
      here.name = JSON.parse(last) as string; // the name may contain escapes
      if (here.names.get(here.name) === 1) note("JSN-DUPLICATE", "this field is given twice");
      if (here.name === "__proto__") note("JSN-NAME", "a field may not be named __proto__");
      here.names.set(here.name, (here.names.get(here.name) ?? 0) + 1);
    } else if (letter === "-" || (letter >= "0" && letter <= "9")) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)![0];
      at += token.length - 1;
      if (isTooLong(token)) note("JSN-NUMBER", `an integer has at most ${MOST_DIGITS} digits`);
      else if (isInfinite(token))
        note("JSN-NUMBER", `${shorten(token)} exceeds the largest number`);
      else if (isVanishing(token)) note("JSN-NUMBER", `${shorten(token)} ${VANISHING}`);
    }
  }
  return problems;
}

/** Merges a body into a document: unset fields stay, and null removes a field (MGT-C5). */
export const mergeBody = (document: JsonObject, body: object): JsonObject => {
  const next = new Map<string, JsonValue>(Object.entries(document));
  for (const [name, value] of Object.entries(body) as [string, JsonValue][])
    if (value === null) next.delete(name);
    else next.set(name, value);
  return Object.fromEntries(next);
};
