// Parses the syntax of HAProxy: sections of lines, and lines of words with quotes, escapes and comments.
import { Failure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../reading.ts";

export interface Line {
  readonly words: readonly string[];
  readonly file: string;
  readonly line: number;
}

export interface Section {
  readonly kind: string; // global, defaults, frontend, backend, listen, peers, ...
  readonly name: string;
  readonly head: Line;
  readonly lines: readonly Line[];
}

/** The value of a variable of the environment, which HAProxy reads between double quotes. */
export type ValueOfEnvironment = (name: string, at: Pick<Line, "file" | "line">) => string;

const KINDS =
  /^(?:global|defaults|frontend|backend|listen|peers|userlist|resolvers|mailers|cache|ring|program|http-errors|fcgi-app|log-forward|crt-store|acme|traces)$/;

export function parseHaproxy(
  { file, text }: ConfigurationFile,
  environment: ValueOfEnvironment,
): readonly Section[] | Failure {
  const sections: (Section & { readonly lines: Line[] })[] = [];
  for (const [index, source] of joinLines(text)) {
    const at = { file, line: index + 1 };
    const words = wordsOf(source, (name) => environment(name, at));
    if (words === null)
      return new Failure(`${file}:${at.line}: a quote is not closed; add the closing quote`);
    const [first] = words;
    if (first === undefined) continue;
    const line = { words, ...at };
    const section = sections.at(-1);
    if (KINDS.test(first)) {
      const head = { kind: first, name: words[1] ?? "", head: line };
      sections.push({ ...head, lines: [] });
    } else if (section === undefined)
      return new Failure(
        `${file}:${at.line}: "${first}" is in no section; begin one, such as frontend NAME`,
      );
    else section.lines.push(line);
  }
  return sections;
}

/** Lines with their index. A backslash at the end of a line continues it. */
function joinLines(text: string): readonly (readonly [number, string])[] {
  const joined: [number, string][] = [];
  let begun: [number, string] | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const whole: [number, string] = begun === null ? [index, line] : [begun[0], begun[1] + line];
    begun = /(?:^|[^\\])(?:\\\\)*\\$/.test(line) ? [whole[0], whole[1].slice(0, -1)] : null;
    if (begun === null) joined.push(whole);
  }
  return begun === null ? joined : [...joined, begun];
}

/** A part of a word, a comment, or the space between words. */
const PART = /\s+|#.*|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s#'"\\]+/sy;

function wordsOf(source: string, valueOf: (name: string) => string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < source.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [part] = PART.exec(source) ?? [];
    if (part === undefined) return null;
    if (/^\s/.test(part)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (part.startsWith("#")) break;
    else word = (word ?? "") + unquote(part, valueOf);
  }
  return word === null ? words : [...words, word];
}

/** An escaped character, or a variable: $NAME, ${NAME}, ${NAME[*]} or ${NAME-default}. A brace may be missing at the end. */
const VARIABLE = /\\(.)|\$(?:(\w+)|\{(\w+)(?:\[\*\]|-([^}]*))?(\}|$))/gs;

function unquote(part: string, valueOf: (name: string) => string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"'))
    return part
      .slice(1, -1)
      .replaceAll(
        VARIABLE,
        (
          found,
          escaped?: string,
          plain?: string,
          braced?: string,
          otherwise = "",
          end?: string,
        ) => {
          if (escaped !== undefined) return /["\\$]/.test(escaped) ? escaped : found;
          return end === "" ? found : valueOf((plain ?? braced)!) || otherwise;
        },
      );
  if (!part.startsWith("\\")) return part;
  const letter = part[1]!;
  return { n: "\n", r: "\r", t: "\t" }[letter] ?? letter;
}

export type Words = readonly string[];

/** Splits `text` at commas outside of parentheses and quotes: a fetch and its converters, or arguments. */
export function splitOutside(text: string): Words {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (sign === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

export interface HaproxyCall {
  readonly name: string;
  readonly args: Words;
}

/** `name`, or `name(arg,...)`. */
export function callOf(text: string): HaproxyCall | null {
  const [, name, args] = /^([\w.+-]+)(?:\((.*)\))?$/s.exec(text) ?? [];
  if (name === undefined) return null;
  return { name, args: args === undefined || args === "" ? [] : splitOutside(args) };
}

/** A time of HAProxy in microseconds: a number of milliseconds, or with a unit. Null: it is no time. */
export function timeUs(text: string): number | null {
  const [, value, unit = "ms"] = /^(\d+)(us|ms|s|m|h|d)?$/.exec(text) ?? [];
  return value === undefined ? null : Number(value) * UNITS[unit]!;
}

const UNITS: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
};

export const problemAt = ({ file, line }: Pick<Line, "file" | "line">, what: string): Failure =>
  new Failure(`${file}:${line}: ${what}`);
