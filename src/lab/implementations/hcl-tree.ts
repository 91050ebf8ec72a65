// HCL, the language of Terraform, as a tree with lines, in the shape of Terraform's JSON: the labels of a block are
// fields, and blocks without a label are items of a list. Parsers on npm are the one of Go, compiled to JavaScript or
// WebAssembly: larger than this whole program, and without lines.
import { Failure } from "../../kit/reading/failure.ts";
import type { ConfigurationFile } from "./reading.ts";
import type { YamlNode } from "./yaml-tree.ts";

const DEEPEST = 64;

export function parseHcl({ file, text }: ConfigurationFile): readonly YamlNode[] | Failure {
  try {
    return [new HclParser(text).read()];
  } catch (error) {
    if (error instanceof HclProblem) return new Failure(`${file}:${error.message}`);
    throw error;
  }
}

class HclProblem extends Error {}

type Fields = Map<string, YamlNode>;

/** Blanks of a line and comments; a comment until the end of a line leaves the end. */
const BLANK = /(?:[^\S\n]|(?:#|\/\/)[^\n]*|\/\*[^]*?\*\/)+/y;
const BLANKS = /(?:\s|(?:#|\/\/)[^\n]*|\/\*[^]*?\*\/)+/y;
const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const QUOTED = /"((?:[^"\\\n$]|\\.|\$(?!\{)|\$\{(?:[^{}]|\{[^{}]*\})*\})*)"/y;
const HEREDOC = /<<-?(\w+)\n((?:.*\n)*?)[^\S\n]*\1(?=\s|$)/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const WORD = /(?:true|false|null)(?![\w.-])/y;
/** What follows a whole value: the end of the line, of the list or of the map. */
const END = /(?=[\n,\]}]|$)/y;

const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

class HclParser {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #depth = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  }

  read(): YamlNode {
    const fields = this.#body("");
    return this.#node("", 1, { fields });
  }

  /** The attributes and blocks until the sign that ends them; empty: until the end of the file. */
  #body(end: "" | "}"): Fields {
    if (++this.#depth > DEEPEST) this.#fail(`blocks are nested more than ${DEEPEST} deep`);
    const fields: Fields = new Map();
    for (;;) {
      this.#skip(BLANKS);
      if (end === "" ? this.#at === this.#text.length : this.#takes(end)) break;
      this.#statement(fields);
    }
    this.#depth--;
    return fields;
  }

  #statement(fields: Fields): void {
    const line = this.#line;
    const name = this.#skip(NAME)?.[0] ?? this.#fail("an attribute or a block is missing");
    this.#skip(BLANK);
    if (this.#takes("=")) {
      this.#skip(BLANK);
      if (fields.has(name)) this.#fail(`"${name}" is given twice; keep one`);
      fields.set(name, this.#value(name, line));
      return;
    }
    const labels: string[] = [];
    while (!this.#takes("{")) {
      const label = this.#skip(QUOTED)?.[1] ?? this.#skip(NAME)?.[0];
      labels.push(label ?? this.#fail(`"${name}" has no = and no {`));
      this.#skip(BLANK);
    }
    const body = this.#body("}");
    let [into, last] = [fields, name];
    for (const label of labels) {
      const inner = (into.get(last)?.fields ?? new Map<string, YamlNode>()) as Fields;
      if (!into.get(last)?.fields) into.set(last, this.#node(last, line, { fields: inner }));
      [into, last] = [inner, label];
    }
    const known = into.get(last);
    if (known === undefined && labels.length > 0) {
      into.set(last, this.#node(last, line, { fields: body }));
      return;
    }
    const before = known === undefined ? [] : (known.items ?? [{ ...known, name: "" }]);
    const items = [...before, this.#node("", line, { fields: body })];
    into.set(last, this.#node(last, known?.line ?? line, { items }));
  }

  #value(name: string, line: number): YamlNode {
    const start = this.#at;
    const [startLine, depth] = [this.#line, this.#depth];
    const found = this.#literal(name, line);
    if (found !== null) {
      this.#skip(BLANK);
      if (this.#skip(END) !== null) return found;
    }
    [this.#at, this.#line, this.#depth] = [start, startLine, depth];
    return this.#node(name, line, { value: `\${${this.#expression()}}` });
  }

  /** Null: it is an expression that only Terraform evaluates. */
  #literal(name: string, line: number): YamlNode | null {
    const scalar = (value: YamlNode["value"]): YamlNode => this.#node(name, line, { value });
    const quoted = this.#skip(QUOTED);
    if (quoted !== null) return scalar(unescape(quoted[1]!));
    const heredoc = this.#skip(HEREDOC);
    if (heredoc !== null) return scalar(heredoc[2]!.trim());
    const number = this.#skip(NUMBER);
    if (number !== null) return scalar(Number(number[0]));
    const word = this.#skip(WORD);
    if (word !== null) return scalar(WORDS[word[0]]!);
    if (this.#takes("[")) {
      const items = this.#list("]", () => this.#value("", this.#line));
      return items === null ? null : this.#node(name, line, { items });
    }
    if (!this.#takes("{")) return null;
    const entries = this.#list("}", () => this.#entry());
    const fields = new Map(entries?.flatMap((each) => (each === null ? [] : [each])));
    return entries === null || entries.includes(null) ? null : this.#node(name, line, { fields });
  }

  #entry(): readonly [string, YamlNode] | null {
    const line = this.#line;
    const name = this.#skip(QUOTED)?.[1] ?? this.#skip(NAME)?.[0];
    this.#skip(BLANK);
    if (name === undefined || !(this.#takes("=") || this.#takes(":"))) return null;
    this.#skip(BLANKS);
    return [name, this.#value(name, line)];
  }

  /** Null: it is no list, as in `[for ...]`, or has an item that is not read. */
  #list<T>(end: string, read: () => T): readonly T[] | null {
    if (++this.#depth > DEEPEST) this.#fail(`values are nested more than ${DEEPEST} deep`);
    const all: T[] = [];
    for (;;) {
      this.#skip(BLANKS);
      if (this.#takes(end)) break;
      if (/^for\b/.test(this.#text.slice(this.#at, this.#at + 4)) || this.#at === this.#text.length)
        return null;
      const start = this.#at;
      all.push(read());
      if (this.#at === start) return null; // such as a name in parentheses
      this.#skip(BLANKS);
      this.#takes(",");
    }
    this.#depth--;
    return all;
  }

  /** The text of an expression until the end of its line, outside of brackets. */
  #expression(): string {
    const start = this.#at;
    let open = 0;
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at]!;
      if (open === 0 && /[\n,\]})]/.test(sign)) break;
      if (this.#skip(QUOTED) !== null || this.#skip(HEREDOC) !== null) continue;
      if (/[[{(]/.test(sign)) open++;
      if (/[\]})]/.test(sign)) open--;
      if (sign === "\n") this.#line++;
      this.#at++;
    }
    const text = this.#text.slice(start, this.#at).trim();
    return text === "" ? this.#fail("a value is missing after =") : text.replaceAll(/\s+/g, " ");
  }

  #skip(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at += found[0].length;
    this.#line += found[0].split("\n").length - 1;
    return found;
  }

  #takes(sign: string): boolean {
    const isNext = this.#text[this.#at] === sign;
    if (isNext) this.#at++;
    return isNext;
  }

  #fail(what: string): never {
    throw new HclProblem(`${this.#line}: this is not HCL: ${what}`);
  }

  #node(
    name: string,
    line: number,
    rest: Partial<Pick<YamlNode, "value" | "fields" | "items">>,
  ): YamlNode {
    return { name, line, value: null, fields: null, items: null, ...rest };
  }
}

const unescape = (text: string): string =>
  text.replaceAll(/\\(.)|\$\$(?=\{)/g, (_, sign?: string) =>
    sign === undefined ? "$" : (ESCAPES[sign] ?? sign),
  );
