// Expressions of rules of Cloudflare, such as (http.request.uri.path eq "/login" and http.request.method in {"POST"}).
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { parseNetwork } from "../networks.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { regexOf, escapePattern } from "../regex.ts";
import { parametersOf, pathOf, queryOf } from "../request-parts.ts";

export interface ExpressionWorld {
  readonly headers: Set<string>;
  readonly hostOf: (request: RequestFacts) => string; // empty: unknown, and every host fits
}

type Values = (request: RequestFacts) => readonly string[];

const TOKEN =
  /\s*(?:"((?:[^"\\]|\\[^])*)"|r(#*)"([^]*?)"\2|(\|\||&&|\^\^|==|!=|<=|>=|[!(){},<>~])|(\$?[\w.][\w./:-]*(?:\[(?:"[^"]*"|\*|\d+)\])*))/y;

interface ExpressionToken {
  readonly sign: string | null; // a sign or a word
  readonly text: string | null; // a text in quotes
}

export function parseExpression(text: string, world: ExpressionWorld): RequestTest | Failure {
  const tokens: ExpressionToken[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null) return new Failure(`"${text.slice(at).trim().slice(0, 20)}" is not known`);
    const [, quoted, , raw, sign, word] = found;
    const own = quoted?.replaceAll(/\\([^])/g, "$1") ?? raw;
    tokens.push({ sign: sign ?? word ?? null, text: own ?? null });
  }
  return new ExpressionParser(tokens, world).read();
}

const DEEPEST = 100;

class ExpressionParser {
  readonly #tokens: readonly ExpressionToken[];
  readonly #world: ExpressionWorld;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly ExpressionToken[], world: ExpressionWorld) {
    this.#tokens = tokens;
    this.#world = world;
  }

  read(): RequestTest | Failure {
    const test = this.#parseJoined(0);
    if (isFailure(test) || this.#at === this.#tokens.length) return test;
    return new Failure(`"${this.#tokens[this.#at]!.sign ?? "a string"}" is not expected`);
  }

  /** `or` binds least, then `xor`, then `and`. */
  #parseJoined(level: number): RequestTest | Failure {
    if (level === JOINS.length) return this.#one();
    const { words, join } = JOINS[level]!;
    let left = this.#parseJoined(level + 1);
    while (!isFailure(left) && words.some((word) => this.#skip(word))) {
      const right = this.#parseJoined(level + 1);
      if (isFailure(right)) return right;
      const before = left;
      left = (request) => join(before(request), right(request));
    }
    return left;
  }

  #one(): RequestTest | Failure {
    if (++this.#depth > DEEPEST) return new Failure("it is nested too deep");
    if (this.#skip("not") || this.#skip("!")) {
      const test = this.#one();
      return isFailure(test) ? test : (request) => !test(request);
    }
    if (this.#skip("(")) {
      const test = this.#parseJoined(0);
      return isFailure(test) || this.#skip(")") ? test : new Failure("a bracket is missing");
    }
    if (this.#skip("true")) return () => true;
    if (this.#skip("false")) return () => false;
    const name = this.#tokens[this.#at]?.sign;
    if (name === "starts_with" || name === "ends_with") return this.#edge(name);
    if (name === "any") {
      this.#at++;
      const test = this.#one();
      return test;
    }
    return this.#comparison();
  }

  #edge(name: "starts_with" | "ends_with"): RequestTest | Failure {
    this.#at++;
    if (!this.#skip("(")) return new Failure("a bracket is missing");
    const field = this.#field();
    const text = this.#skip(",") ? this.#tokens[this.#at++]?.text : undefined;
    if (isFailure(field)) return field;
    if (typeof text !== "string" || !this.#skip(")"))
      return new Failure(`${name} has two values, of which the second is a string`);
    return (request) =>
      field(request).some((value) =>
        name === "starts_with" ? value.startsWith(text) : value.endsWith(text),
      );
  }

  #comparison(): RequestTest | Failure {
    const name = this.#tokens[this.#at]?.sign ?? "";
    const field = this.#field();
    if (isFailure(field)) return field;
    const isStrict = this.#skip("strict");
    const operator = this.#tokens[this.#at++]?.sign ?? "nothing";
    if (operator === "in") return this.#set(name, field);
    const { text = null, sign = null } = this.#tokens[this.#at++] ?? {};
    const value = text ?? sign;
    if (value === null) return new Failure(`${operator} has no value`);
    const isHost = name === "http.host";
    const testOf = comparisonOf(operator, value, isStrict, name === "ip.src");
    if (isFailure(testOf)) return testOf;
    return (request) =>
      field(request).some((own) => (isHost && own === "" ? operator !== "ne" : testOf(own)));
  }

  #set(name: string, field: Values): RequestTest | Failure {
    if (!this.#skip("{")) return new Failure("a list that this file does not have");
    const values: string[] = [];
    while (!this.#skip("}")) {
      const token = this.#tokens[this.#at++];
      if (token === undefined) return new Failure("a bracket is missing");
      values.push(token.text ?? token.sign ?? "");
      this.#skip(",");
    }
    if (name !== "ip.src")
      return (request) =>
        field(request).some((own) => values.includes(own) || (name === "http.host" && own === ""));
    const networks = values.map(parseNetwork);
    return networks.includes(null)
      ? new Failure("a range of addresses")
      : ({ address }) => networks.some((isIn) => isIn!(address));
  }

  #field(): Values | Failure {
    const name = this.#tokens[this.#at++]?.sign ?? "";
    if (name === "lower" || name === "upper") {
      if (!this.#skip("(")) return new Failure("a bracket is missing");
      const inner = this.#field();
      if (isFailure(inner)) return inner;
      if (!this.#skip(")")) return new Failure("a bracket is missing");
      return (request) =>
        inner(request).map((own) => (name === "lower" ? own.toLowerCase() : own.toUpperCase()));
    }
    return fieldOf(name, this.#world) ?? new Failure(`${name || "a field"} is not known`);
  }

  #skip(sign: string): boolean {
    const isNext = this.#tokens[this.#at]?.sign === sign;
    if (isNext) this.#at++;
    return isNext;
  }
}

const JOINS = [
  { words: ["or", "||"], join: (a: boolean, b: boolean) => a || b },
  { words: ["xor", "^^"], join: (a: boolean, b: boolean) => a !== b },
  { words: ["and", "&&"], join: (a: boolean, b: boolean) => a && b },
] as const;

function comparisonOf(
  operator: string,
  value: string,
  isStrict: boolean,
  isAddress: boolean,
): ((own: string) => boolean) | Failure {
  if (/^(?:eq|==|ne|!=)$/.test(operator)) {
    const isSame = isAddress ? parseNetwork(value) : (own: string): boolean => own === value;
    if (isSame === null) return new Failure(`${value} is no address`);
    return operator === "eq" || operator === "==" ? isSame : (own) => !isSame(own);
  }
  if (operator === "contains") return (own) => own.includes(value);
  if (operator === "matches" || operator === "~") {
    const regex = regexOf(value);
    return isFailure(regex) ? regex : (own) => regex.test(own);
  }
  if (operator !== "wildcard") return new Failure(`${operator} is not known`);
  const source = value
    .split("*")
    .map((part) => escapePattern(part))
    .join("[^]*");
  const regex = new RegExp(`^${source}$`, isStrict ? "" : "i");
  return (own) => regex.test(own);
}

/** The values of a field of a request; null: a log does not have it. */
export function fieldOf(name: string, { headers, hostOf }: ExpressionWorld): Values | null {
  const header = (own: string): Values => {
    headers.add(own);
    return (request) => [request.header(own) ?? ""];
  };
  const [, kind, key = ""] =
    /^http\.request\.(headers|cookies|uri\.args)\["([^"]*)"\](?:\[(?:\*|\d+)\])?$/.exec(name) ?? [];
  if (kind === "headers") return header(key.toLowerCase());
  if (kind === "uri.args") return (request) => [parametersOf(request).get(key) ?? ""];
  if (kind === "cookies") {
    const cookies = header("cookie");
    return (request) => [
      cookies(request)[0]!
        .split(/;\s*/)
        .find((each) => each.startsWith(`${key}=`))
        ?.slice(key.length + 1) ?? "",
    ];
  }
  if (name === "http.host") return (request) => [hostOf(request)];
  const ofHeader = HEADERS[name];
  return ofHeader === undefined ? (FIELDS[name] ?? null) : header(ofHeader);
}

const HEADERS: Readonly<Record<string, string>> = {
  "http.user_agent": "user-agent",
  "http.referer": "referer",
  "http.cookie": "cookie",
  "http.x_forwarded_for": "x-forwarded-for",
};

const FIELDS: Readonly<Record<string, Values>> = {
  "http.request.uri.path": (request) => [pathOf(request)],
  "raw.http.request.uri.path": (request) => [pathOf(request)],
  "http.request.uri": ({ target }) => [target],
  "http.request.uri.query": (request) => [queryOf(request)],
  "http.request.method": ({ method }) => [method],
  "ip.src": ({ address }) => [address],
};
