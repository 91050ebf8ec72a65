// Parses the part of VCL that decides about requests: subroutines, `if`, `set`, `call` and `return`, with lines.
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../reading.ts";

export interface VclToken {
  readonly kind: "name" | "number" | "text" | "sign";
  readonly text: string; // of a string without its quotes
  readonly line: number;
}

interface At {
  readonly file: string;
  readonly line: number;
  readonly source: string; // for statements of the reader
}

export type VclStatement = At &
  (
    | { readonly kind: "if"; readonly branches: readonly VclBranch[] } // the last one may have no condition
    | { readonly kind: "set"; readonly target: string; readonly value: readonly VclToken[] }
    | { readonly kind: "unset"; readonly target: string }
    | { readonly kind: "return"; readonly words: readonly VclToken[] }
    | { readonly kind: "call"; readonly name: string }
    | { readonly kind: "other"; readonly words: readonly VclToken[] }
  );

export interface VclBranch extends At {
  readonly condition: readonly VclToken[] | null;
  readonly body: readonly VclStatement[];
}

/** A declaration at the top: `sub`, `acl`, `backend`, `import`, `include`, `vcl` and so on. */
export interface VclDeclaration extends At {
  readonly kind: string;
  readonly name: string;
  readonly words: readonly VclToken[]; // those of a block have its signs
  readonly body: readonly VclStatement[]; // of a `sub`
}

const ENDS: Readonly<Record<string, string>> = {
  "/*": "*/",
  "C{": "}C",
  '"""': '"""',
  '{"': '"}',
};

/** Comments and strings of several lines: first those with an end, then, in a group, those without. */
const TOKEN =
  /\s+|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|C\{[^]*?\}C|"""[^]*?"""|\{"[^]*?"\}|(\/\*|C\{|"""|\{")[^]*|"[^"\n]*"|\d+(?:\.\d+)?(?:ms|[smhdwy])?(?![\w.])|[A-Za-z_][\w.-]*|&&|\|\||[!=<>]=|!~|[*+/-]=|\+\+|--|[^\s\w]|\w+/y;

function tokensOf({ file, text }: ConfigurationFile): readonly VclToken[] | Failure {
  const tokens: VclToken[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [found, open] = TOKEN.exec(text) ?? [];
    if (found === undefined) return new Failure(`${file}:${line}: a string is not closed`);
    if (open !== undefined)
      return new Failure(`${file}:${line}: ${open} has no end; add ${ENDS[open]}`);
    const token = tokenOf(found, line);
    if (found === '"') return new Failure(`${file}:${line}: a string is not closed; add a quote`);
    if (token !== null) tokens.push(token);
    for (const sign of found) if (sign === "\n") line++;
  }
  return tokens;
}

function tokenOf(found: string, line: number): VclToken | null {
  if (/^(?:\s|#|\/\/|\/\*)/.test(found)) return null;
  if (found.startsWith('"""')) return { kind: "text", text: found.slice(3, -3), line };
  if (found.startsWith('{"')) return { kind: "text", text: found.slice(2, -2), line };
  if (found.startsWith('"')) return { kind: "text", text: found.slice(1, -1), line };
  if (/^\d/.test(found)) return { kind: "number", text: found, line };
  return { kind: /^[A-Za-z_]/.test(found) ? "name" : "sign", text: found, line };
}

/** Tokens as one line of source. */
const formatTokens = (tokens: readonly VclToken[]): string =>
  tokens
    .map(({ kind, text }) => (kind === "text" ? JSON.stringify(text) : text))
    .join(" ")
    .replaceAll(/ (?=[,;)])|(?<=[(!]) |(?<=[\w]) (?=\()/g, "");

export const parseVcl = (file: ConfigurationFile): readonly VclDeclaration[] | Failure => {
  const tokens = tokensOf(file);
  return isFailure(tokens) ? tokens : new VclParser(file.file, tokens).read();
};

const DEEPEST = 100;

class VclParser {
  readonly #file: string;
  readonly #tokens: readonly VclToken[];
  #next = 0;
  #depth = 0;
  #problem: Failure | null = null;

  constructor(file: string, tokens: readonly VclToken[]) {
    this.#file = file;
    this.#tokens = tokens;
  }

  read(): readonly VclDeclaration[] | Failure {
    const declarations: VclDeclaration[] = [];
    while (this.#problem === null && this.#next < this.#tokens.length)
      declarations.push(this.#declaration());
    return this.#problem ?? declarations;
  }

  #peek(): VclToken | undefined {
    return this.#tokens[this.#next];
  }

  #take(): VclToken {
    const token = this.#tokens[this.#next++];
    if (token !== undefined) return token;
    const line = this.#tokens.at(-1)?.line ?? 1;
    this.#problem ??= new Failure(`${this.#file}:${line}: a block or statement is not closed`);
    return { kind: "sign", text: ";", line };
  }

  #at(tokens: readonly VclToken[]): At {
    return { file: this.#file, line: tokens[0]?.line ?? 1, source: formatTokens(tokens) };
  }

  #declaration(): VclDeclaration {
    const head: VclToken[] = [this.#take()];
    while (this.#problem === null && !/^[;{]$/.test(signOf(this.#peek()))) head.push(this.#take());
    const end = this.#take().text;
    const [kind, name] = [head[0]!.text, head[1]?.text ?? ""];
    const made = { kind, name, ...this.#at(head) };
    if (end === ";") return { ...made, words: head.slice(1), body: [] };
    if (kind === "sub") return { ...made, words: [], body: this.#block() };
    const words: VclToken[] = [];
    for (let depth = 1; this.#problem === null;) {
      const token = this.#take();
      if (token.kind === "sign" && token.text === "{") depth++;
      if (token.kind === "sign" && token.text === "}" && --depth === 0) break;
      words.push(token);
    }
    return { ...made, words, body: [] };
  }

  /** The statements up to the closing brace of a block that is open. */
  #block(): readonly VclStatement[] {
    const statements: VclStatement[] = [];
    if (++this.#depth > DEEPEST)
      this.#problem ??= new Failure(`${this.#file}: blocks are nested more than ${DEEPEST} deep`);
    while (this.#problem === null) {
      if (signOf(this.#peek()) === "}") {
        this.#next++;
        break;
      }
      if (this.#peek()?.text === "if") statements.push(this.#branches());
      else if (signOf(this.#peek()) === "{") {
        this.#next++;
        statements.push(...this.#block());
      } else statements.push(this.#statement());
    }
    this.#depth--;
    return statements;
  }

  #branches(): VclStatement {
    const first = this.#branch();
    const branches = [first];
    while (
      this.#problem === null &&
      /^(?:else|elseif|elsif|elif)$/.test(this.#peek()?.text ?? "")
    ) {
      const start = this.#take();
      const isPlain = start.text === "else" && this.#peek()?.text !== "if";
      if (!isPlain) {
        if (start.text !== "else") this.#next--; // `elsif` is in place of `if`
        branches.push(this.#branch());
        continue;
      }
      this.#require("{");
      branches.push({ ...this.#at([start]), condition: null, body: this.#block() });
      break;
    }
    const { file, line, source } = first;
    return { kind: "if", branches, file, line, source };
  }

  #branch(): VclBranch {
    const start = this.#take();
    this.#require("(");
    const condition: VclToken[] = [];
    for (let depth = 1; this.#problem === null;) {
      const token = this.#take();
      if (token.kind === "sign" && token.text === "(" && ++depth > DEEPEST)
        this.#problem = new Failure(
          `${this.#file}: parentheses are nested more than ${DEEPEST} deep`,
        );
      if (token.kind === "sign" && token.text === ")" && --depth === 0) break;
      condition.push(token);
    }
    const at = this.#at([start, ...condition]);
    this.#require("{");
    return { ...at, condition, body: this.#block() };
  }

  #require(sign: string): void {
    const { text, line } = this.#take();
    if (text !== sign)
      this.#problem ??= new Failure(`${this.#file}:${line}: "${sign}" is missing before "${text}"`);
  }

  #statement(): VclStatement {
    const words: VclToken[] = [];
    while (this.#problem === null && !/^[;}]$/.test(signOf(this.#peek()))) words.push(this.#take());
    const at = this.#at(words);
    if (signOf(this.#take()) === "}")
      this.#problem ??= new Failure(`${this.#file}:${at.line}: "${at.source}" has no semicolon`);
    return { ...at, ...partsOf(words) };
  }
}

const signOf = (token: VclToken | undefined): string => (token?.kind === "sign" ? token.text : "");

type Parts = VclStatement extends infer S ? (S extends At ? Omit<S, keyof At> : never) : never;

function partsOf(words: readonly VclToken[]): Parts {
  const [first, second] = words;
  switch (first?.text ?? "") {
    case "set":
      if (words[2]?.text === "=")
        return { kind: "set", target: second!.text.toLowerCase(), value: words.slice(3) };
      return { kind: "other", words };
    case "unset":
    case "remove":
      return { kind: "unset", target: second?.text.toLowerCase() ?? "" };
    case "return":
      return { kind: "return", words: words.slice(2, -1) };
    case "error":
      return { kind: "return", words };
    case "call":
      return { kind: "call", name: second?.text ?? "" };
    default:
      return { kind: "other", words };
  }
}
