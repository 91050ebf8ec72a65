// Parses the syntax of nginx: directives with words, blocks, quotes and comments, each with its line.
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

/** A quoted word, a sign, or a plain word, in which `${` begins a variable and not a block. */
const TOKEN =
  /\s+|#[^\n]*|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[;{}]|(?:\$\{|\\[^]|[^\s;{}"'\\]|(?<=[^\s;{}])["'])+/y;

function tokensOf({ file, text }: ConfigurationFile): readonly Token[] | Failure {
  const tokens: Token[] = [];
  let line = 1;
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [found] = TOKEN.exec(text) ?? [];
    if (found === undefined)
      return new Failure(`${file}:${line}: a quote is not closed; add the closing quote`);
    const isQuoted = /^["']/.test(found);
    if (isQuoted) tokens.push({ text: unquote(found), line, kind: "word" });
    else if (/^[;{}]$/.test(found)) tokens.push({ text: found, line, kind: "sign" });
    else if (!/^[\s#]/.test(found)) tokens.push({ text: found, line, kind: "word" });
    for (const sign of found) if (sign === "\n") line++;
  }
  return tokens;
}

const unquote = (text: string): string => text.slice(1, -1).replaceAll(/\\(["'\\])/g, "$1");

/** The deepest nesting of blocks; a real configuration has about five. */
const DEEPEST = 100;

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
          `"${first.text}" has no semicolon before the end of its block`,
        );
      if (open.length === 1) return failAt(file, token.line, `"}" closes no block; remove it`);
      open.pop();
      continue;
    }
    if (first === undefined)
      return failAt(file, token.line, `"${token.text}" has no directive before it`);
    const block: Directive[] | null = token.text === "{" ? [] : null;
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
  const [left] = words;
  if (left !== undefined)
    return failAt(file, left.line, `"${left.text}" has no semicolon; add one`);
  const { directives, from } = open.at(-1)!;
  return from === null
    ? directives
    : failAt(file, from.line, `the block of "${from.text}" is not closed; add "}"`);
}

const failAt = ({ file }: ConfigurationFile, line: number, what: string): Failure =>
  new Failure(`${file}:${line}: ${what}`);
