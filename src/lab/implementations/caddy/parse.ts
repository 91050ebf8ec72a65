// The syntax of a Caddyfile: words, quotes, comments, blocks, snippets and imports (docs/decisions/057).
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile, Includes } from "../reading.ts";

export interface CaddyDirective {
  readonly file: string;
  readonly line: number;
  readonly words: readonly string[];
  readonly block: readonly CaddyDirective[] | null;
  readonly of?: CaddyDirective; // the statement that it is a part of
  readonly text?: string; // of its statement, if the file has no words
}

interface CaddyToken {
  readonly text: string;
  readonly line: number;
  readonly isQuoted: boolean;
}

/** A blank, a comment, a quoted word, or a word. A backslash before the end of a line joins it with the next one. */
const TOKEN =
  /[^\S\n]+|\\\r?\n|\n|#[^\n]*|"((?:[^"\\]|\\[^])*)"|`([^`]*)`|<<([\w-]+)\r?\n([^]*?)\n[^\S\n]*\3(?=\s|$)|(?:\\[^\n]|[^\s\\])+|\\/y;

function tokensOf(text: string): readonly CaddyToken[] {
  const tokens: CaddyToken[] = [];
  let [line, isStart] = [1, true];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) break;
    const [whole, quoted, plain, , here] = found;
    const isWord = /^[^\s#]/.test(whole) && !/^\\\r?\n$/.test(whole);
    if (isWord || (whole.startsWith("#") && !isStart))
      tokens.push({
        text: quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain ?? here ?? whole,
        line,
        isQuoted: (quoted ?? plain ?? here) !== undefined,
      });
    isStart = !isWord;
    line += whole.split("\n").length - 1;
  }
  return tokens;
}

const DEEPEST = 50;
const MOST_DIRECTIVES = 100_000; // imports of imports grow without bounds

/** Blocks at the top have addresses, or the name of a snippet in brackets, or no words: the global options. */
export function parseCaddyfile(
  main: ConfigurationFile,
  includes: Includes,
): readonly CaddyDirective[] | Failure {
  const parser = new CaddyParser(includes);
  try {
    return parser.readFile(main);
  } catch (error) {
    if (error instanceof CaddyError) return new Failure(error.message);
    throw error;
  }
}

class CaddyError extends Error {}

class CaddyParser {
  readonly #includes: Includes;
  readonly #snippets = new Map<string, readonly CaddyDirective[]>();
  readonly #expanded = new Map<string, readonly CaddyDirective[]>(); // snippets that sites share
  #directives = 0;

  constructor(includes: Includes) {
    this.#includes = includes;
  }

  readFile({ file, text }: ConfigurationFile): readonly CaddyDirective[] {
    const tokens = tokensOf(text.replace(/^\uFEFF/, ""));
    const reader = { file, tokens, at: 0 };
    const top = this.#readBlock(reader, 0, true);
    // A site without braces has the rest of the file.
    const isBare = top[0] !== undefined && top[0].block === null && top[0].words[0] !== "import";
    if (!isBare) return this.#expand(top, [], true);
    const [site, ...block] = top;
    return [{ ...site!, block: this.#expand(block, [], false) }];
  }

  #readBlock(
    reader: { readonly file: string; readonly tokens: readonly CaddyToken[]; at: number },
    depth: number,
    isTop: boolean,
  ): readonly CaddyDirective[] {
    const { file, tokens } = reader;
    const fail = (line: number, what: string): never => {
      throw new CaddyError(`${file}:${line}: ${what}`);
    };
    const directives: CaddyDirective[] = [];
    for (;;) {
      const first = tokens[reader.at];
      if (first === undefined) {
        if (depth > 0) fail(tokens.at(-1)!.line, 'a block is open; close it by "}"');
        return directives;
      }
      if (depth > DEEPEST) fail(first.line, `blocks are nested more than ${DEEPEST} deep`);
      if (isSign(first, "}")) {
        if (depth === 0) fail(first.line, '"}" closes no block; remove it');
        reader.at++;
        return directives;
      }
      const words: string[] = [];
      let block: readonly CaddyDirective[] | null = null;
      let { line } = first;
      for (;;) {
        const token = tokens[reader.at];
        // Addresses may continue on the next line after a comma.
        const continues = isTop && words.at(-1)?.endsWith(",");
        if (token === undefined || (token.line !== line && !continues) || isSign(token, "}")) break;
        ({ line } = token);
        reader.at++;
        if (isSign(token, "{")) {
          block = this.#readBlock(reader, depth + 1, false);
          break;
        }
        words.push(token.text);
      }
      if (++this.#directives > MOST_DIRECTIVES)
        fail(first.line, `the file has more than ${MOST_DIRECTIVES} directives`);
      directives.push({ file, line: first.line, words, block });
    }
  }

  /** Takes snippets out, and puts what an import names in its place. */
  #expand(
    directives: readonly CaddyDirective[],
    above: readonly string[],
    isTop: boolean,
  ): readonly CaddyDirective[] {
    const expanded: CaddyDirective[] = [];
    for (const each of directives) {
      const [word = "", named = "", ...values] = each.words;
      if (++this.#directives > MOST_DIRECTIVES)
        throw new CaddyError(`${each.file}:${each.line}: imports repeat too many directives`);
      if (isTop && /^\(.+\)$/.test(word) && each.block !== null)
        this.#snippets.set(word.slice(1, -1), each.block);
      else if (word === "import") expanded.push(...this.#import(each, named, values, above));
      else
        expanded.push(
          each.block === null ? each : { ...each, block: this.#expand(each.block, above, false) },
        );
    }
    return expanded;
  }

  #import(
    { file, line }: CaddyDirective,
    name: string,
    values: readonly string[],
    above: readonly string[],
  ): readonly CaddyDirective[] {
    if (above.includes(name))
      throw new CaddyError(`${file}:${line}: import ${name} imports itself; remove one import`);
    const snippet = this.#snippets.get(name);
    if (snippet !== undefined) {
      const known = values.length === 0 ? this.#expanded.get(name) : undefined;
      const expanded =
        known ?? this.#expand(withArguments(snippet, values), [...above, name], false);
      if (values.length === 0) this.#expanded.set(name, expanded);
      return expanded;
    }
    const files = this.#includes(name);
    if (isFailure(files)) throw new CaddyError(`${file}:${line}: ${files.message}`);
    return files.flatMap((each) => {
      if (above.length > DEEPEST) throw new CaddyError(`${file}:${line}: imports never end`);
      return this.#expand(this.readFile(each), [...above, name], false);
    });
  }
}

const isSign = ({ text, isQuoted }: CaddyToken, sign: string): boolean =>
  text === sign && !isQuoted;

/** `{args[0]}` and `{args.0}` are the values of an import. */
function withArguments(
  directives: readonly CaddyDirective[],
  values: readonly string[],
): readonly CaddyDirective[] {
  return directives.map((each) => ({
    ...each,
    words: each.words.map((word) =>
      word.replaceAll(
        /\{args(?:\[(\d+)\]|\.(\d+))\}/g,
        (whole, a?: string, b?: string) => values[Number(a ?? b)] ?? whole,
      ),
    ),
    block: each.block === null ? null : withArguments(each.block, values),
  }));
}
