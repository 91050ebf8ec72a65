// Expressions of CEL in predicates and counters, as far as a request of a log has their attributes.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { RequestFacts } from "../reading.ts";
import { pathOf, queryOf } from "../request-parts.ts";
import { regexOf } from "../regex.ts";

type Value = string | number | boolean | null | readonly Value[];

/** Null: an attribute is missing, for example a header. */
export type CelExpression = (request: RequestFacts) => Value;

const ATTRIBUTES: Readonly<Record<string, CelExpression>> = {
  "request.method": ({ method }) => method,
  "request.host": ({ host }) => host || null,
  "request.path": ({ target }) => target,
  "request.url_path": pathOf,
  "request.query": queryOf,
  "source.address": ({ address }) => address || null,
  "source.remote_address": ({ address }) => address || null,
};

const HEADERS: Readonly<Record<string, string>> = {
  "request.useragent": "user-agent",
  "request.referer": "referer",
};

type Call = (own: Value, argument: Value) => Value;

const ofTexts =
  (call: (own: string, argument: string) => Value): Call =>
  (own, argument) =>
    typeof own === "string" && typeof argument === "string" ? call(own, argument) : null;

const CALLS: Readonly<Record<string, Call>> = {
  startsWith: ofTexts((own, start) => own.startsWith(start)),
  endsWith: ofTexts((own, end) => own.endsWith(end)),
  contains: ofTexts((own, part) => own.includes(part)),
  lowerAscii: (own) => (typeof own === "string" ? own.toLowerCase() : null),
  upperAscii: (own) => (typeof own === "string" ? own.toUpperCase() : null),
};

const TOKEN =
  /\s*(?:([a-zA-Z_]\w*)|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(&&|\|\||[=!<>]=|[-!<>()[\].,?:+]))/gy;

interface Token {
  readonly text: string;
  readonly type: "name" | "number" | "text" | "sign";
}

const TYPES = ["name", "number", "text", "sign"] as const;

/** Null: it has something that is not one of these. */
function tokensOf(written: string): readonly Token[] | null {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const trimmed = written.trim();
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed);
    if (found === null) return null;
    const parts: readonly (string | undefined)[] = found.slice(1);
    const index = parts.findIndex((each) => each !== undefined);
    tokens.push({ text: parts[index]!, type: TYPES[index]! });
  }
  return tokens;
}

/** The expression of a text. Null: this reader does not know all of it. Names of headers are added to `headers`. */
export function celExpressionOf(written: string, headers: Set<string>): CelExpression | null {
  const tokens = tokensOf(written);
  if (tokens === null) return null;
  const parser = new ExpressionParser(tokens, headers);
  const expression = parser.either();
  return parser.isAtEnd ? expression : null;
}

class ExpressionParser {
  readonly #tokens: readonly Token[];
  readonly #headers: Set<string>;
  #at = 0;

  constructor(tokens: readonly Token[], headers: Set<string>) {
    this.#tokens = tokens;
    this.#headers = headers;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  #takes(...signs: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.type === "text" || !signs.includes(token.text)) return null;
    this.#at++;
    return token.text;
  }

  either(): CelExpression | null {
    let left = this.#both();
    while (left !== null && this.#takes("||") !== null) {
      const [first, second] = [left, this.#both()];
      left = second && ((request) => first(request) === true || second(request) === true);
    }
    return left;
  }

  #both(): CelExpression | null {
    let left = this.#comparison();
    while (left !== null && this.#takes("&&") !== null) {
      const [first, second] = [left, this.#comparison()];
      left = second && ((request) => first(request) === true && second(request) === true);
    }
    return left;
  }

  #comparison(): CelExpression | null {
    const left = this.#unary();
    if (left === null) return null;
    const sign = this.#takes("==", "!=", "in", "<", "<=", ">", ">=");
    if (sign === null) return left;
    const right = this.#unary();
    if (right === null) return null;
    return (request) => compare(sign, left(request), right(request));
  }

  #unary(): CelExpression | null {
    if (this.#takes("!") === null) return this.#member();
    const inner = this.#unary();
    if (inner === null) return null;
    return (request) => {
      const value = inner(request);
      return typeof value === "boolean" ? !value : null;
    };
  }

  #member(): CelExpression | null {
    let value = this.#primary();
    while (value !== null && this.#takes(".") !== null) value = this.#call(value);
    return value;
  }

  #call(own: CelExpression): CelExpression | null {
    const name = this.#tokens[this.#at]?.text ?? "";
    this.#at++;
    if (this.#takes("(") === null) return null;
    if (name === "matches") return this.#matches(own);
    const call = Object.hasOwn(CALLS, name) ? CALLS[name]! : null;
    const isEmpty = this.#takes(")") !== null;
    const argument = isEmpty ? () => null : this.either();
    if (call === null || argument === null || (!isEmpty && this.#takes(")") === null)) return null;
    return (request) => call(own(request), argument(request));
  }

  #matches(own: CelExpression): CelExpression | null {
    const token = this.#tokens[this.#at];
    this.#at++;
    if (token?.type !== "text" || this.#takes(")") === null) return null;
    const regex = regexOf(textOf(token.text));
    if (isFailure(regex)) return null;
    return (request) => {
      const value = own(request);
      return typeof value === "string" ? regex.test(value) : null;
    };
  }

  #primary(): CelExpression | null {
    const token = this.#tokens[this.#at];
    if (token === undefined) return null;
    this.#at++;
    const { text, type } = token;
    if (type === "text") return constant(textOf(text));
    if (type === "number") return constant(Number(text));
    if (text === "true" || text === "false") return constant(text === "true");
    if (text === "(") {
      const inner = this.either();
      return this.#takes(")") === null ? null : inner;
    }
    if (text === "[") return this.#list();
    return type === "name" ? this.#attribute(text) : null;
  }

  #list(): CelExpression | null {
    const items: CelExpression[] = [];
    while (this.#takes("]") === null) {
      const item = this.either();
      if (item === null) return null;
      items.push(item);
      if (this.#takes(",") === null && this.#tokens[this.#at]?.text !== "]") return null;
    }
    return (request) => items.map((item) => item(request));
  }

  /** Takes names until they are an attribute: `request.headers` has one more, which may be in brackets. */
  #attribute(first: string): CelExpression | null {
    let path = first;
    for (;;) {
      const attribute = ATTRIBUTES[path] ?? null;
      if (attribute !== null) return attribute;
      const header =
        HEADERS[path] ?? (/^request(?:\.http)?\.headers$/.test(path) ? this.#key() : null);
      if (header !== null) return this.#headerOf(header);
      if (this.#takes(".") === null) return null;
      const next = this.#tokens[this.#at];
      this.#at++;
      if (next?.type !== "name") return null;
      path = `${path}.${next.text}`;
    }
  }

  #key(): string | null {
    if (this.#takes("[") !== null) {
      const token = this.#tokens[this.#at];
      this.#at++;
      return token?.type === "text" && this.#takes("]") !== null ? textOf(token.text) : null;
    }
    if (this.#takes(".") === null) return null;
    const token = this.#tokens[this.#at];
    this.#at++;
    return token?.type === "name" ? token.text : null;
  }

  #headerOf(name: string): CelExpression {
    const header = name.toLowerCase();
    if (header === "host" || header === ":authority") return ({ host }) => host || null;
    this.#headers.add(header);
    return (request) => request.header(header);
  }
}

const constant =
  (value: Value): CelExpression =>
  () =>
    value;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

const textOf = (quoted: string): string =>
  quoted.slice(1, -1).replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);

/** Null: a value is missing, so that CEL fails and the limit does not apply. */
function compare(sign: string, left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  if (sign === "==") return left === right;
  if (sign === "!=") return left !== right;
  if (sign === "in") return Array.isArray(right) ? right.includes(left) : null;
  if (typeof left !== typeof right || typeof left === "object") return null;
  const [first, second] = [left, right as typeof left];
  if (sign === "<") return first < second;
  if (sign === "<=") return first <= second;
  return sign === ">" ? first > second : first >= second;
}
