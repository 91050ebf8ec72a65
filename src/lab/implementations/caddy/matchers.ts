// Matchers of a Caddyfile: which requests a directive has.
import { isFailure } from "../../../kit/reading/failure.ts";
import { parseNetwork } from "../networks.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { regexOf, escapePattern } from "../regex.ts";
import { decode, parametersOf, pathOf } from "../request-parts.ts";
import type { CaddyDirective } from "./parse.ts";

export interface MatcherWorld {
  readonly headers: Set<string>;
  readonly hostOf: (request: RequestFacts) => string;
  /** Which requests a matcher has that the reader does not know. */
  readonly takeRequests: (directive: CaddyDirective) => RequestTest;
}

/** All of the matchers of a block have to hold, and one of the values of each. */
export function matcherOf(directives: readonly CaddyDirective[], world: MatcherWorld): RequestTest {
  const tests = directives.map((each) => testOf(each, world) ?? world.takeRequests(each));
  return (request) => tests.every((test) => test(request));
}

/** The matchers of `@name path /a` and of `@name { ... }`. */
export const matchersIn = (directive: CaddyDirective): readonly CaddyDirective[] =>
  directive.block ?? [partOf(directive)];

const partOf = (directive: CaddyDirective): CaddyDirective => ({
  ...directive,
  words: directive.words.slice(1),
  of: directive.of ?? directive,
});

/** Null: the reader does not know it. */
function testOf(directive: CaddyDirective, world: MatcherWorld): RequestTest | null {
  const [name = "", ...values] = directive.words;
  if (name === "not") {
    const test = matcherOf(matchersIn(directive), world);
    return (request) => !test(request);
  }
  return Object.hasOwn(MATCHERS, name) ? MATCHERS[name]!(values, world) : null;
}

type Matcher = (values: readonly string[], world: MatcherWorld) => RequestTest | null;

/** An asterisk at an end is any text, and one inside is text without a slash. */
export function pathMatcher(pattern: string): RequestTest {
  const parts = pattern.split("*").map((part) => escapePattern(part));
  const source = parts.reduce((left, right, index) => {
    const isEdge = (index === 1 && left === "") || (index === parts.length - 1 && right === "");
    return left + (isEdge ? "[^]*" : "[^/]*") + right;
  });
  const regex = new RegExp(`^${source}$`, "i");
  return (request) => regex.test(decode(pathOf(request)));
}

const anyOf =
  (tests: readonly RequestTest[]): RequestTest =>
  (request) =>
    tests.some((test) => test(request));

const PRIVATE = "192.168.0.0/16 172.16.0.0/12 10.0.0.0/8 127.0.0.1/8 fd00::/8 ::1".split(" ");

const network: Matcher = (values) => {
  const tests = values
    .filter((each) => each !== "forwarded")
    .flatMap((each) => (each === "private_ranges" ? PRIVATE : [each]))
    .map(parseNetwork);
  return tests.includes(null) ? null : ({ address }) => tests.some((isIn) => isIn!(address));
};

/** The name of a pattern may be left out. */
const patternOf = (values: readonly string[]): RegExp | null => {
  const regex = regexOf(values.at(-1) ?? "");
  return isFailure(regex) ? null : regex;
};

const MATCHERS: Readonly<Record<string, Matcher>> = {
  path: (values) => anyOf(values.map(pathMatcher)),
  method:
    (values) =>
    ({ method }) =>
      values.some((each) => each.toUpperCase() === method),
  host: (values, { hostOf }) => anyOf(values.map((each) => hostTest(each, hostOf))),
  remote_ip: network,
  client_ip: network,
  path_regexp: (values) => {
    const regex = patternOf(values);
    return regex === null ? null : (request) => regex.test(decode(pathOf(request)));
  },
  header: ([name = "", value = "*"], { headers }) => {
    if (name.startsWith("!")) {
      headers.add(name.slice(1).toLowerCase());
      return (request) => request.header(name.slice(1).toLowerCase()) === null;
    }
    headers.add(name.toLowerCase());
    const parts = value.split("*").map((part) => escapePattern(part));
    const regex = new RegExp(`^${parts.join("[^]*")}$`);
    return (request) => {
      const own = request.header(name.toLowerCase());
      return own !== null && regex.test(own);
    };
  },
  header_regexp: (values, { headers }) => {
    const name = (values.at(-2) ?? "").toLowerCase();
    headers.add(name);
    const regex = patternOf(values);
    return regex === null ? null : (request) => regex.test(request.header(name) ?? "");
  },
  query: (values) =>
    anyOf(
      values.map((each) => {
        const [, name = each, value = ""] = /^([^=]*)=(.*)$/s.exec(each) ?? [];
        return (request: RequestFacts) => {
          const own = parametersOf(request).getAll(name);
          return value === "*" ? own.length > 0 : own.includes(value);
        };
      }),
    ),
};

/** An asterisk is one part of a host, and a variable such as {$DOMAIN} any text. An unknown host fits. */
export function hostTest(pattern: string, hostOf: (request: RequestFacts) => string): RequestTest {
  const source = pattern
    .toLowerCase()
    .split(/(\*|\{\$\w+\})/)
    .map((part, index) => {
      if (index % 2 === 0) return escapePattern(part);
      return part === "*" ? "[^.]+" : ".+";
    })
    .join("");
  const regex = new RegExp(`^${source}$`);
  return (request) => hostOf(request) === "" || regex.test(hostOf(request));
}
