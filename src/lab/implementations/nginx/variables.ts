// Variables of nginx: those of a request, and those that `map`, `geo`, `set` and groups of patterns define.
import { parseAddress } from "../../../limiter/core/address.ts";
import { geoOf } from "./geo.ts";
import { mapOf } from "./map.ts";
import type { Directive } from "./parse.ts";
import type { Expression } from "./request.ts";

/** Variables that a configuration defines, and the values of those that only production has. */
export interface Variables {
  readonly defined: ReadonlyMap<string, Directive>; // map and geo, by the variable without the dollar
  readonly assigned: ReadonlySet<string>; // variables of `set`, and groups of patterns
  /** Called for each use of a variable whose value is unknown. Returns the value that is taken. */
  readonly resolveUnknown: (name: string, at: Directive) => string;
  readonly findGiven: (name: string) => string | undefined; // by --set
  /** Whether a key, a condition or a path depends on the variable. */
  readonly needs: (name: string) => boolean;
  readonly noteRead: (directive: Directive) => void; // the directive is part of a key
  readonly noteHeader: (name: string) => void; // the header is part of a key
}

const VARIABLE = /\$(?:\{(\w+)\}|(\d)|([A-Za-z_]\w*))/g;

/** The names of the variables in a text. */
export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(VARIABLE)].flatMap((match) => match[1] ?? match[3] ?? []);

/**
 * Compiles a word with variables. `within`: the variables that are being compiled. Throws a SyntaxError with a sentence
 * if they need each other, or if a pattern cannot be read.
 */
export function expressionOf(
  word: string,
  at: Directive,
  variables: Variables,
  within: readonly string[] = [],
): Expression {
  const parts: (string | Expression)[] = [];
  let end = 0;
  for (const match of word.matchAll(VARIABLE)) {
    parts.push(word.slice(end, match.index));
    parts.push(variableOf((match[1] ?? match[2] ?? match[3])!, at, variables, within));
    end = match.index + match[0].length;
  }
  parts.push(word.slice(end));
  return (request) =>
    parts.map((part) => (typeof part === "string" ? part : part(request))).join("");
}

const BUILT_IN: Readonly<Record<string, Expression>> = {
  remote_addr: ({ facts }) => facts.address,
  binary_remote_addr: ({ facts }) => bytesOf(facts.address),
  request_uri: ({ facts }) => facts.target,
  uri: ({ uri }) => uri,
  document_uri: ({ uri }) => uri,
  args: ({ args }) => args,
  query_string: ({ args }) => args,
  is_args: ({ args }) => (args === "" ? "" : "?"),
  request_method: ({ facts }) => facts.method,
  host: ({ host, server }) => host || server,
  server_name: ({ server }) => server,
  server_port: ({ port }) => port,
};

/** All spellings of an address are one client, because nginx counts its bytes. */
const bytesOf = (address: string): string => parseAddress(address)?.join(".") ?? address;

/** Variables with the name of a header, in other words than `$http_NAME`. */
const OF_HEADERS: Readonly<Record<string, string>> = {
  http_host: "host",
  content_type: "content-type",
  content_length: "content-length",
};

function variableOf(
  name: string,
  at: Directive,
  variables: Variables,
  within: readonly string[],
): Expression {
  const { defined, assigned, resolveUnknown, findGiven, noteHeader } = variables;
  if (/^\d+$/.test(name)) return ({ groups }) => groups[Number(name)] ?? "";
  if (findGiven(name) !== undefined) {
    const value = resolveUnknown(name, at);
    return () => value;
  }
  const directive = defined.get(name);
  if (directive !== undefined) return valueFromTable(name, directive, variables, within);
  const builtIn = BUILT_IN[name];
  if (builtIn !== undefined)
    return assigned.has(name) ? (request) => request.values.get(name) ?? builtIn(request) : builtIn;
  if (assigned.has(name)) return ({ values }) => values.get(name) ?? "";
  if (name === "proxy_add_x_forwarded_for") {
    noteHeader("x-forwarded-for");
    return ({ facts }) =>
      [facts.header("x-forwarded-for") ?? "", facts.address]
        .filter((text) => text !== "")
        .join(", ");
  }
  const [, kind, rest = ""] = /^(http|arg|cookie)_(\w+)$/.exec(name) ?? [];
  const header =
    OF_HEADERS[name] ?? (kind === "http" ? rest.toLowerCase().replaceAll("_", "-") : null);
  if (header !== null) {
    noteHeader(header);
    return ({ facts }) => facts.header(header) ?? "";
  }
  if (kind === "arg") return ({ args }) => pieceOf(args, "&", rest);
  if (kind === "cookie") {
    noteHeader("cookie");
    return ({ facts }) => pieceOf(facts.header("cookie") ?? "", ";", rest).trim();
  }
  const taken = resolveUnknown(name, at);
  return () => taken;
}

/** The text after `name=` in a list, as it is written there; names are compared without case. */
function pieceOf(list: string, sign: string, name: string): string {
  const start = `${name.toLowerCase()}=`;
  const piece = list.split(sign).find((each) => each.trimStart().toLowerCase().startsWith(start));
  return piece === undefined ? "" : piece.trimStart().slice(start.length);
}

/** nginx computes such a variable once for each request. */
function valueFromTable(
  name: string,
  directive: Directive,
  variables: Variables,
  within: readonly string[],
): Expression {
  if (within.includes(name)) {
    const circle = within.slice(within.indexOf(name)).map((each) => `$${each}`);
    throw new SyntaxError(
      circle.length === 1
        ? `the variable ${circle[0]!} needs itself`
        : `the variables ${circle.join(", ")} need each other`,
    );
  }
  variables.noteRead(directive);
  const compile = (word: string): Expression =>
    expressionOf(word, directive, variables, [...within, name]);
  const compute = directive.name === "map" ? mapOf(directive, compile) : geoOf(directive, compile);
  return (request) => {
    const known = request.values.get(name);
    if (known !== undefined) return known;
    const value = compute(request);
    request.values.set(name, value);
    return value;
  };
}
