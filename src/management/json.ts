// One reader and one writer of JSON for everything that comes in or is kept. A whole number beyond what a double
// holds is a bigint, so that 64-bit fields are exact; a member that stands there twice has two meanings, and so none.
import { fault, type Path, type Problem } from "../core/problems.ts";

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

/** Every fault is named; a text that is no JSON at all has one, and is not looked at any further. */
export function readJson(text: string): ReadJson {
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

/** Tokens of what is known to be JSON, as far as names, depth and size need them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|-?\d[\d.eE+-]*/gs;

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
  const at = (): Path => open.map(({ names, name, index }) => (names === null ? index : name));
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    const here = open.at(-1);
    if (token === "{" || token === "[") {
      if (open.length === DEEPEST)
        return [fault("JSN-DEPTH", at(), `nothing may lie deeper than ${DEEPEST} levels`)];
      open.push({ names: token === "{" ? new Map() : null, name: "", index: 0 });
    } else if (token === "}" || token === "]") open.pop();
    else if (token === ",") here!.index++;
    else if (token === ":" && here?.names) {
      here.name = JSON.parse(last) as string; // it may be written with escapes, and is the same name then
      if (here.names.get(here.name) === 1)
        problems.push(fault("JSN-REPEATED", at(), "this member is there twice"));
      if (here.name === "__proto__")
        problems.push(fault("JSN-NAME", at(), "no member may be called __proto__"));
      here.names.set(here.name, (here.names.get(here.name) ?? 0) + 1);
    } else if (isTooLong(token))
      problems.push(fault("JSN-NUMBER", at(), `a whole number has at most ${MOST_DIGITS} digits`));
    else if (isInfinite(token))
      problems.push(
        fault("JSN-NUMBER", at(), `${shortened(token)} is a larger number than there is`),
      );
    last = token;
  }
  return problems;
}
