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

export type ReadJson = { readonly value: JsonValue } | { readonly problems: readonly Problem[] };

const DEEPEST = 32;

/** Every fault is named; a text that is no JSON at all has one. */
export function readJson(text: string): ReadJson {
  const problems: Problem[] = scan(text);
  if (problems.length > 0) return { problems };
  const tooLarge: string[] = [];
  const number: Reviver = (_, value, { source }) => {
    if (typeof value !== "number") return value;
    if (!Number.isFinite(value)) tooLarge.push(source!);
    return Number.isSafeInteger(value) || !/^-?\d+$/.test(source!) ? value : BigInt(source!);
  };
  try {
    const value = (JSON.parse as ParseWithSource)(text, number) as JsonValue;
    for (const said of tooLarge)
      problems.push(fault("JSN-NUMBER", [], `${shortened(said)} is a larger number than there is`));
    return problems.length > 0 ? { problems } : { value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [fault("JSN-SYNTAX", [], `the body is not JSON: ${error.message}`)] };
  }
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

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);

/** Tokens of JSON, as far as names and depth need them: what is no JSON is left to the parser. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]/gs;

interface Open {
  readonly names: Set<string> | null; // null: a list
  name: string;
  index: number;
}

/** What a parser would pass over in silence: members that are there twice, and depths that no reader survives. */
function scan(text: string): Problem[] {
  const problems: Problem[] = [];
  const open: Open[] = [];
  const at = (): Path => open.map(({ names, name, index }) => (names === null ? index : name));
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    const here = open.at(-1);
    if (token === "{" || token === "[") {
      if (open.length === DEEPEST)
        return [fault("JSN-DEPTH", at(), `nothing may lie deeper than ${DEEPEST} levels`)];
      open.push({ names: token === "{" ? new Set() : null, name: "", index: 0 });
    } else if (token === "}" || token === "]") open.pop();
    else if (token === "," && here !== undefined) here.index++;
    else if (token === ":" && here?.names && last.startsWith('"')) {
      here.name = unquoted(last);
      if (here.names.has(here.name))
        problems.push(fault("JSN-REPEATED", at(), "this member is there twice"));
      if (here.name === "__proto__")
        problems.push(fault("JSN-NAME", at(), "no member may be called __proto__"));
      here.names.add(here.name);
    }
    last = token;
  }
  return problems;
}

/** A name may be written with escapes, and is the same name then. */
function unquoted(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return token; // no JSON, which the parser will say
  }
}
