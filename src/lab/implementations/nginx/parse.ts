// Parses the syntax of nginx: directives with words, blocks, quotes and comments, each with its line. It splits words
// where nginx does (ngx_conf_read_token): quotes and comments begin a word, `}` ends none, and `${` begins a variable.
import { Failure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../reading.ts";

export interface Directive {
  readonly name: string;
  readonly words: readonly string[]; // after the name
  readonly block: readonly Directive[] | null; // null: it ends with a semicolon
  readonly file: string;
  readonly line: number;
}

interface Token {
  readonly text: string;
  readonly line: number;
  readonly kind: "word" | "sign"; // a quoted brace is a word
}

const TOKEN =
  /[ \t\r\n]+|#[^\n]*|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[;{}]|(?:\\[^]|\$\{?|[^ \t\r\n;{}"'\\$])(?:\\[^]|\$\{?|[^ \t\r\n;{\\$])*/y;

/** A directive of OpenResty whose block is a program, which has other quotes and comments. */
const OF_PROGRAM = /_by_(?:lua|njs)_block$/;

function tokensOf({ file, text }: ConfigurationFile): readonly Token[] | Failure {
  const tokens: Token[] = [];
  let line = 1;
  let isProgram = false;
  const lastLong = text.lastIndexOf("]]");
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    let [found] = TOKEN.exec(text) ?? [];
    if (found === undefined)
      return new Failure(`${file}:${line}: a quote is not closed; add the closing quote`);
    if (/^["']/.test(found)) {
      if (!/^(?:[ \t\r\n;{)]|$)/.test(text.slice(TOKEN.lastIndex, TOKEN.lastIndex + 1)))
        return new Failure(
          `${file}:${line}: nginx needs a space after the closing quote of ${found.slice(0, 40)}; add one`,
        );
      tokens.push({ text: unescape(found.slice(1, -1)), line, kind: "word" });
    } else if (/^[;{}]$/.test(found)) {
      tokens.push({ text: found, line, kind: "sign" });
      if (found === "{" && isProgram) {
        TOKEN.lastIndex = endOfProgram(text, TOKEN.lastIndex, lastLong);
        found = text.slice(at, TOKEN.lastIndex);
      }
      isProgram = false;
    } else if (!/^[ \t\r\n#]/.test(found)) {
      tokens.push({ text: unescape(found), line, kind: "word" });
      isProgram ||= OF_PROGRAM.test(found);
    }
    for (let end = found.indexOf("\n"); end >= 0; end = found.indexOf("\n", end + 1)) line++;
  }
  return tokens;
}

const ESCAPED: Readonly<Record<string, string>> = { t: "\t", r: "\r", n: "\n" };

/** nginx removes a backslash before these characters only, so that most of regular expressions stay as they are. */
const unescape = (text: string): string =>
  text.replaceAll(/\\(["'\\trn])/g, (_, sign: string) => ESCAPED[sign] ?? sign);

/** The start of a long string or comment, a comment, a string, which ends with its line, or a brace of a program. */
const OF_LUA = /((?:--)?\[\[)|--[^\n]*|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|[{}]/g;

/** The place of the brace that closes a program, or of the end of the text. `lastLong`: the last "]]" of the text. */
function endOfProgram(text: string, from: number, lastLong: number): number {
  let depth = 1;
  OF_LUA.lastIndex = from;
  for (let found = OF_LUA.exec(text); found !== null; found = OF_LUA.exec(text)) {
    const at = OF_LUA.lastIndex;
    if (found[1] !== undefined && at <= lastLong) OF_LUA.lastIndex = text.indexOf("]]", at) + 2;
    if (found[0] === "{") depth++;
    else if (found[0] === "}" && --depth === 0) return found.index;
  }
  return text.length;
}

/** The deepest nesting of blocks; a real configuration has about five. */
const DEEPEST = 100;

/** Without their block a limit in it would be missing in silence. */
const ALWAYS_BLOCKS = /^(?:http|events|location|map|geo|if|limit_except|split_clients|upstream)$/;

export function parseNginx(file: ConfigurationFile): readonly Directive[] | Failure {
  const tokens = tokensOf(file);
  if (tokens instanceof Failure) return tokens;
  const open: { readonly directives: Directive[]; readonly from: Token | null }[] = [
    { directives: [], from: null },
  ];
  let words: Token[] = [];
  for (const token of tokens) {
    if (token.kind === "word") {
      words.push(token);
      continue;
    }
    const [first, ...others] = words;
    if (token.text === "}") {
      if (first !== undefined)
        return failAt(
          file,
          first.line,
          `"${first.text}" has no semicolon before the end of its block; add one`,
        );
      if (open.length === 1) return failAt(file, token.line, `"}" closes no block; remove it`);
      open.pop();
      continue;
    }
    if (first === undefined)
      return failAt(file, token.line, `"${token.text}" has no directive before it; remove it`);
    const block: Directive[] | null = token.text === "{" ? [] : null;
    if (block === null && ALWAYS_BLOCKS.test(first.text))
      return failAt(file, first.line, `"${first.text}" has no block; write it with { and }`);
    open.at(-1)!.directives.push({
      name: first.text,
      words: others.map(({ text }) => text),
      block,
      file: file.file,
      line: first.line,
    });
    if (block !== null) {
      if (open.length === DEEPEST)
        return failAt(file, first.line, `blocks are nested more than ${DEEPEST} deep`);
      open.push({ directives: block, from: first });
    }
    words = [];
  }
  const { directives, from } = open.at(-1)!;
  const [left] = words;
  if (left !== undefined)
    return failAt(file, left.line, `"${left.text}" has no semicolon; add one`);
  return from === null
    ? directives
    : failAt(file, from.line, `the block of "${from.text}" is not closed; add "}"`);
}

const failAt = ({ file }: ConfigurationFile, line: number, what: string): Failure =>
  new Failure(`${file}:${line}: ${what}`);
