// TOML of other programs as a tree with lines, the same as of YAML (docs/decisions/057).
import { Failure } from "../../kit/reading/failure.ts";
import type { ConfigurationFile } from "./reading.ts";
import type { YamlNode } from "./yaml-tree.ts";

type Fields = Map<string, YamlNode>;

/** The one document of a file. */
export function parseToml({ file, text }: ConfigurationFile): readonly YamlNode[] | Failure {
  const parser = new TomlParser(text.replace(/^\uFEFF/, ""));
  try {
    return [parser.read()];
  } catch (error) {
    if (error instanceof TomlError)
      return new Failure(`${file}:${parser.line}: this is not TOML: ${error.message}`);
    throw error;
  }
}

class TomlError extends Error {}

const DEEPEST = 64;

const BARE_KEY = /[\w-]+/y;
const BLANKS = /[ \t]*/y;
const BLANK_LINES = /(?:[ \t\r\n]|#[^\n]*)*/y;
const SCALAR = /[^\s,\]}#]+(?: [\d:.]+)?/y;
const END_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r" };

class TomlParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }

  read(): YamlNode {
    const root: Fields = new Map();
    let table = root;
    for (;;) {
      this.#take(BLANK_LINES);
      if (this.#at >= this.#text.length) return nodeOf("", 1, { fields: root });
      if (this.#text[this.#at] === "[") table = this.#readHeader(root);
      else this.#readPair(table, 0);
      if (this.#match(END_OF_LINE) === null) throw new TomlError("a line has more than one value");
    }
  }

  /** `[a.b]` or `[[a.b]]`. Returns the table that it opens. */
  #readHeader(root: Fields): Fields {
    const isList = this.#text.startsWith("[[", this.#at);
    const line = this.line;
    this.#at += isList ? 2 : 1;
    const path = this.#readPath();
    const end = isList ? "]]" : "]";
    this.#expect(end);
    const parent = this.#descend(root, path.slice(0, -1), line);
    const name = path.at(-1)!;
    if (!isList) return this.#descend(parent, [name], line);
    const table: Fields = new Map();
    const known = parent.get(name);
    if (known !== undefined && known.items === null)
      throw new TomlError(`${name} is given twice; keep one`);
    const items = [...(known?.items ?? []), nodeOf("", line, { fields: table })];
    parent.set(name, nodeOf(name, known?.line ?? line, { items }));
    return table;
  }

  /** The table at a path, which is made where it is missing. Of a list it is in the last item. */
  #descend(from: Fields, path: readonly string[], line: number): Fields {
    let fields = from;
    for (const name of path) {
      const known = fields.get(name);
      const inner = (known?.items?.at(-1) ?? known)?.fields;
      if (known !== undefined && (inner === null || inner === undefined))
        throw new TomlError(`${name} is given twice; keep one`);
      const next = (inner as Fields | undefined) ?? new Map<string, YamlNode>();
      if (known === undefined) fields.set(name, nodeOf(name, line, { fields: next }));
      fields = next;
    }
    return fields;
  }

  #readPair(table: Fields, depth: number): void {
    const line = this.line;
    const path = this.#readPath();
    this.#expect("=");
    const fields = this.#descend(table, path.slice(0, -1), line);
    const name = path.at(-1)!;
    if (fields.has(name)) throw new TomlError(`${name} is given twice; keep one`);
    fields.set(name, this.#readValue(name, line, depth));
  }

  #readPath(): readonly string[] {
    const path: string[] = [];
    do {
      this.#take(BLANKS);
      const quote = this.#text[this.#at];
      const part = quote === '"' || quote === "'" ? this.#readString() : this.#match(BARE_KEY);
      if (part === null) throw new TomlError("a name is missing");
      path.push(part);
      if (path.length > DEEPEST) throw new TomlError(`a name has more than ${DEEPEST} parts`);
      this.#take(BLANKS);
    } while (this.#skip("."));
    return path;
  }

  #readValue(name: string, line: number, depth: number): YamlNode {
    if (depth > DEEPEST) throw new TomlError(`values are nested more than ${DEEPEST} deep`);
    this.#take(BLANKS);
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") return nodeOf(name, line, { value: this.#readString() });
    if (this.#skip("[")) return nodeOf(name, line, { items: this.#readItems(depth) });
    if (this.#skip("{")) return nodeOf(name, line, { fields: this.#readInline(depth) });
    const word = this.#match(SCALAR);
    if (word === null) throw new TomlError("a value is missing");
    if (word === "true" || word === "false") return nodeOf(name, line, { value: word === "true" });
    const number = Number(word.replaceAll("_", ""));
    if (Number.isFinite(number)) return nodeOf(name, line, { value: number });
    if (/^[+-]?(?:\d|inf$|nan$)/.test(word)) return nodeOf(name, line, { value: word });
    throw new TomlError(`${word} is no value; text needs quotes`);
  }

  #readItems(depth: number): readonly YamlNode[] {
    const items: YamlNode[] = [];
    for (;;) {
      this.#take(BLANK_LINES);
      if (this.#skip("]")) return items;
      items.push(this.#readValue("", this.line, depth + 1));
      this.#take(BLANK_LINES);
      if (this.#skip(",")) continue;
      this.#expect("]");
      return items;
    }
  }

  #readInline(depth: number): Fields {
    const fields: Fields = new Map();
    for (;;) {
      this.#take(BLANK_LINES);
      if (this.#skip("}")) return fields;
      this.#readPair(fields, depth + 1);
      this.#take(BLANK_LINES);
      if (this.#skip(",")) continue;
      this.#expect("}");
      return fields;
    }
  }

  #readString(): string {
    const quote = this.#text[this.#at]!;
    const isLong = this.#text.startsWith(quote.repeat(3), this.#at);
    const end = isLong ? quote.repeat(3) : quote;
    let at = this.#at + end.length;
    if (isLong && this.#text[at] === "\n") at++;
    let text = "";
    while (!this.#text.startsWith(end, at)) {
      const letter = this.#text[at];
      if (letter === undefined || (letter === "\n" && !isLong))
        throw new TomlError("a quote is missing");
      if (letter !== "\\" || quote === "'") {
        text += letter;
        at++;
        continue;
      }
      const [whole = "\\", code] = /^\\(?:u([\da-fA-F]{4})|\s*\n\s*|.)/.exec(
        this.#text.slice(at, at + 1_000),
      ) ?? [""];
      const escape = whole[1] ?? "";
      if (code !== undefined) text += String.fromCodePoint(Number.parseInt(code, 16));
      else if (!/\s/.test(escape)) text += ESCAPES[escape] ?? escape;
      at += Math.max(whole.length, 1);
    }
    this.#at = at + end.length;
    return text;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #take(blanks: RegExp): void {
    this.#match(blanks);
  }

  #skip(sign: string): boolean {
    const isNext = this.#text.startsWith(sign, this.#at);
    if (isNext) this.#at += sign.length;
    return isNext;
  }

  #expect(sign: string): void {
    this.#take(BLANKS);
    if (!this.#skip(sign)) throw new TomlError(`${sign} is missing`);
  }
}

const nodeOf = (
  name: string,
  line: number,
  rest: Partial<Pick<YamlNode, "value" | "fields" | "items">>,
): YamlNode => ({ name, line, value: null, fields: null, items: null, ...rest });
