// Rules of routers of Traefik, such as Host(`example.com`) && PathPrefix(`/api`), in the syntax of versions 2 and 3.
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { parseNetwork } from "../networks.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { regexOf, escapePattern } from "../regex.ts";
import { decode, parametersOf, pathOf } from "../request-parts.ts";

export interface RuleWorld {
  readonly headers: Set<string>;
  readonly hostOf: (request: RequestFacts) => string; // empty: unknown, and every host fits
}

const TOKEN = /\s*(?:(\|\||&&|[!(),])|`([^`]*)`|"((?:[^"\\]|\\.)*)"|([A-Za-z]+))/y;

interface RuleToken {
  readonly sign: string | null;
  readonly text: string | null;
  readonly word: string | null;
}

export function parseRule(rule: string, world: RuleWorld): RequestTest | Failure {
  const tokens: RuleToken[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < rule.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(rule);
    if (found === null) return new Failure(`"${rule.slice(at).trim()}" is no rule`);
    const [, sign, plain, quoted, word] = found;
    const text = plain ?? quoted?.replaceAll(/\\(.)/g, "$1");
    tokens.push({ sign: sign ?? null, text: text ?? null, word: word ?? null });
  }
  return new RuleParser(tokens, world).read();
}

const DEEPEST = 100;

class RuleParser {
  readonly #tokens: readonly RuleToken[];
  readonly #world: RuleWorld;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly RuleToken[], world: RuleWorld) {
    this.#tokens = tokens;
    this.#world = world;
  }

  read(): RequestTest | Failure {
    const test = this.#either();
    if (isFailure(test) || this.#at === this.#tokens.length) return test;
    return new Failure("the rule has a sign too many");
  }

  #either(): RequestTest | Failure {
    if (++this.#depth > DEEPEST) return new Failure("the rule is nested too deep");
    let left = this.#both();
    while (!isFailure(left) && this.#skip("||")) left = join(left, this.#both(), "or");
    this.#depth--;
    return left;
  }

  #both(): RequestTest | Failure {
    let left = this.#one();
    while (!isFailure(left) && this.#skip("&&")) left = join(left, this.#one(), "and");
    return left;
  }

  #one(): RequestTest | Failure {
    if (this.#skip("!")) {
      if (++this.#depth > DEEPEST) return new Failure("the rule is nested too deep");
      const test = this.#one();
      return isFailure(test) ? test : (request) => !test(request);
    }
    if (this.#skip("(")) {
      const test = this.#either();
      return isFailure(test) || this.#skip(")") ? test : new Failure("a bracket is missing");
    }
    const word = this.#tokens[this.#at++]?.word;
    if (typeof word !== "string" || !this.#skip("(")) return new Failure("a matcher is missing");
    const values: string[] = [];
    do {
      const text = this.#tokens[this.#at++]?.text;
      if (typeof text !== "string") return new Failure(`a value of ${word} needs quotes`);
      values.push(text);
    } while (this.#skip(","));
    if (!this.#skip(")")) return new Failure("a bracket is missing");
    return MATCHERS[word]?.(values, this.#world) ?? new Failure(`${word} is not known`);
  }

  #skip(sign: string): boolean {
    const isNext = this.#tokens[this.#at]?.sign === sign;
    if (isNext) this.#at++;
    return isNext;
  }
}

function join(
  left: RequestTest,
  right: RequestTest | Failure,
  by: "and" | "or",
): RequestTest | Failure {
  if (isFailure(right)) return right;
  return by === "and"
    ? (request) => left(request) && right(request)
    : (request) => left(request) || right(request);
}

type Matcher = (values: readonly string[], world: RuleWorld) => RequestTest | Failure;

/** Any of the values; version 3 has one. */
const anyOf =
  (testOf: (value: string, world: RuleWorld) => RequestTest | Failure): Matcher =>
  (values, world) => {
    const tests = values.map((value) => testOf(value, world));
    const failed = tests.find(isFailure);
    return failed ?? ((request) => tests.some((test) => (test as RequestTest)(request)));
  };

/** Version 2 has regular expressions in braces, as in /items/{id:[0-9]+}. */
const templateOf = (text: string): string =>
  text
    .split(/(\{[^{}:]*(?::(?:[^{}]|\{[^{}]*\})*)?\})/)
    .map((part, index) => {
      if (index % 2 === 0) return escapePattern(part);
      const [, regex] = /^\{[^:]*:(.*)\}$/s.exec(part) ?? [];
      return `(?:${regex ?? "[^/]+"})`;
    })
    .join("");

function pathTest(source: string): RequestTest | Failure {
  const regex = regexOf(source);
  return isFailure(regex) ? regex : (request) => regex.test(decode(pathOf(request)));
}

function headerTest(
  [name = "", value = ""]: readonly string[],
  { headers }: RuleWorld,
  isRegex: boolean,
): RequestTest | Failure {
  const header = name.toLowerCase();
  headers.add(header);
  const regex = isRegex ? regexOf(value) : null;
  if (isFailure(regex)) return regex;
  return (request) => {
    const own = request.header(header);
    return own !== null && (regex?.test(own) ?? own === value);
  };
}

const host: Matcher = anyOf((value, { hostOf }) => {
  const wanted = value.toLowerCase();
  return (request) => ["", wanted].includes(hostOf(request));
});

const MATCHERS: Readonly<Record<string, Matcher>> = {
  Host: host,
  HostHeader: host,
  HostRegexp: anyOf((value, { hostOf }) => {
    const isTemplate = /\{[^{}]*:/.test(value) || /^\{\w+\}/.test(value);
    const regex = regexOf(isTemplate ? `^${templateOf(value)}$` : value, { isLoose: true });
    if (isFailure(regex)) return regex;
    return (request) => hostOf(request) === "" || regex.test(hostOf(request));
  }),
  Path: anyOf((value) => pathTest(`^${templateOf(value)}$`)),
  PathPrefix: anyOf((value) => pathTest(`^${templateOf(value)}`)),
  PathRegexp: anyOf((value) => pathTest(value)),
  Method: anyOf((value) => (request) => request.method === value.toUpperCase()),
  Header: (values, world) => headerTest(values, world, false),
  Headers: (values, world) => headerTest(values, world, false),
  HeaderRegexp: (values, world) => headerTest(values, world, true),
  HeadersRegexp: (values, world) => headerTest(values, world, true),
  Query: ([first = "", second]) => {
    const [, name = first, value = second] = /^([^=]*)=(.*)$/s.exec(first) ?? [];
    return (request) => {
      const own = parametersOf(request).getAll(name);
      return value === undefined ? own.length > 0 : own.includes(value);
    };
  },
  ClientIP: anyOf((value) => {
    const isIn = parseNetwork(value);
    return isIn === null
      ? new Failure(`${value} is no network`)
      : (request) => isIn(request.address);
  }),
};
