// One reader and one writer of JSON for everything that comes in or is kept. A whole number beyond what a double
// holds is a bigint, so that 64-bit fields are exact; a member that stands there twice has two meanings, and so none.
import { fault, type Path, type Problem } from "../reading/problems.ts";
import { isVanishing, VANISHING } from "../reading/vanishing-number.ts";

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

export type ReadJson = { readonly value: JsonValue } | { readonly problems: readonly Problem[] };

const DEEPEST = 32;

/** Whoever is told of so many faults has enough to mend, and nobody looks for more of them. */
export const MOST_SHOWN = 20;

/**
 * Every fault is named; a text that is no JSON at all has one, and is not looked at any further. Of what somebody sends,
 * `most` values are read: what holds more is refused before any of them is made.
 */
export function readJson(
  text: string,
  most = Infinity,
  fix = "send less, or raise limits.record_bytes, which says how many fit",
): ReadJson {
  if (most !== Infinity && holdsMore(text, most)) {
    const message = `has more than ${most} members and items`;
    return { problems: [fault("JSN-SIZE", [], message, fix)] };
  }
  try {
    JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [fault("JSN-SYNTAX", [], `the body is not JSON: ${error.message}`)] };
  }
  const problems = passedOver(text);
  if (problems.length > 0) return { problems };
  const number: Reviver = (_, value, { source }) => {
    if (typeof value !== "number") return value;
    return Number.isSafeInteger(value) || !/^-?\d+$/.test(source!) ? value : BigInt(source!);
  };
  return { value: (JSON.parse as ParseWithSource)(text, number) as JsonValue };
}

/** As `readJson` reads it again, to the last digit. */
export const writeJson = (value: unknown, space?: number): string =>
  JSON.stringify(value, asWritten, space);

const asWritten = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? (JSON as unknown as RawJson).rawJSON(String(value)) : value;

// Newer than the types of the language's library.
type Reviver = (name: string, value: unknown, at: { readonly source?: string }) => unknown;
type ParseWithSource = (text: string, reviver: Reviver) => unknown;
interface RawJson {
  readonly rawJSON: (text: string) => unknown;
}

/** Whole numbers are exact, however large; only an exponent, or a fraction, asks for a double. */
const isInfinite = (token: string): boolean =>
  /^-?\d/.test(token) && /[.eE]/.test(token) && Math.abs(Number(token)) === Infinity;

/** No field has more than 64 bits, and to read and write a number of a million digits holds up everybody. */
export const MOST_DIGITS = 40;
const isTooLong = (token: string): boolean =>
  token.length > MOST_DIGITS &&
  /^-?\d+$/.test(token) &&
  token.replace("-", "").length > MOST_DIGITS;

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);

/** Whether a text, whatever it is, has more values than `most`: one behind each comma, and one that each bracket opens. */
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

/** Where the string that begins at `from` ends: at a quotation mark behind an even number of backslashes. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

/** A number at its place, in what is known to be JSON. */
const NUMBER = /[\d.eE+-]+/y;

interface Open {
  readonly names: Map<string, number> | null; // how often each is there; null: a list
  name: string;
  index: number;
}

/**
 * What a parser would pass over in silence: members that are there twice, numbers that become infinite, and depths
 * that no reader survives.
 */
function passedOver(text: string): Problem[] {
  const problems: Problem[] = [];
  const open: Open[] = [];
  const path = (): Path => open.map(({ names, name, index }) => (names === null ? index : name));
  const note = (code: string, message: string): void =>
    void problems.push(fault(code, path(), message));
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
        return [fault("JSN-DEPTH", path(), `nothing may lie deeper than ${DEEPEST} levels`)];
      open.push({ names: letter === "{" ? new Map() : null, name: "", index: 0 });
    } else if (letter === "}" || letter === "]") open.pop();
    else if (letter === ",") here!.index++;
    else if (letter === ":" && here?.names) {
      here.name = JSON.parse(last) as string; // it may be written with escapes, and is the same name then
      if (here.names.get(here.name) === 1) note("JSN-DUPLICATE", "this field is given twice");
      if (here.name === "__proto__") note("JSN-NAME", "no field may be named __proto__");
      here.names.set(here.name, (here.names.get(here.name) ?? 0) + 1);
    } else if (letter === "-" || (letter >= "0" && letter <= "9")) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)![0];
      at += token.length - 1;
      if (isTooLong(token)) note("JSN-NUMBER", `an integer has at most ${MOST_DIGITS} digits`);
      else if (isInfinite(token))
        note("JSN-NUMBER", `${shortened(token)} is a larger number than there is`);
      else if (isVanishing(token)) note("JSN-NUMBER", `${shortened(token)} ${VANISHING}`);
    }
  }
  return problems;
}
