// Variables of nginx in the keys of limits: those of a request, and those of `map`, `geo` and `set`.
import { parseAddress } from "../../../limiter/core/address.ts";
import type { RequestFacts } from "../reading.ts";
import type { Directive } from "./parse.ts";

/** Computes a text from a request. `server` has the first name of its server. */
export type Expression = (request: RequestFacts, server: string) => string;

/** Variables that a configuration defines, and the values of those that only production has. */
export interface Variables {
  readonly defined: ReadonlyMap<string, Directive>; // map, geo and set, by the variable without the dollar
  readonly values: ReadonlyMap<string, string>; // of --set
  /** Called for each use of a variable whose value is unknown. Returns the value that is taken. */
  readonly ask: (name: string, at: Directive) => string;
  readonly noteRead: (directive: Directive) => void; // the directive is part of a key
  readonly noteHeader: (name: string) => void; // the header is part of a key
}

const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

/** Compiles a word with variables. `within`: the variables that are being compiled, to find circles. */
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
    parts.push(variableOf((match[1] ?? match[2])!, at, variables, within));
    end = match.index + match[0].length;
  }
  parts.push(word.slice(end));
  return (request, server) =>
    parts.map((part) => (typeof part === "string" ? part : part(request, server))).join("");
}

const pathOf = ({ target }: RequestFacts): string => target.split("?", 1)[0]!;
const queryOf = ({ target }: RequestFacts): string => /\?(.*)$/s.exec(target)?.[1] ?? "";

/** The path as nginx compares it with locations: decoded, without repeated slashes. */
export const uriOf = (request: RequestFacts): string =>
  decoded(pathOf(request)).replaceAll(/\/{2,}/g, "/");

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

const BUILT_IN: Readonly<Record<string, Expression>> = {
  remote_addr: ({ address }) => address,
  binary_remote_addr: ({ address }) => address,
  request_uri: ({ target }) => target,
  uri: uriOf,
  document_uri: uriOf,
  args: queryOf,
  query_string: queryOf,
  request_method: ({ method }) => method,
  host: ({ host }, server) => host || server,
  http_host: ({ host }) => host,
  server_name: (_, server) => server,
};

function variableOf(
  name: string,
  at: Directive,
  variables: Variables,
  within: readonly string[],
): Expression {
  const { defined, values, ask, noteHeader } = variables;
  const value = values.get(name);
  if (value !== undefined) {
    ask(name, at);
    return () => value;
  }
  const directive = defined.get(name);
  if (directive !== undefined && !within.includes(name))
    return definedBy(directive, variables, [...within, name]);
  const builtIn = BUILT_IN[name];
  if (builtIn !== undefined) return builtIn;
  const [, kind, rest] = /^(http|arg|cookie)_(\w+)$/.exec(name) ?? [];
  if (kind === "http") {
    const header = rest!.toLowerCase().replaceAll("_", "-");
    noteHeader(header);
    return (request) => request.header(header) ?? "";
  }
  if (kind === "arg") return (request) => new URLSearchParams(queryOf(request)).get(rest!) ?? "";
  if (kind === "cookie") {
    noteHeader("cookie");
    return (request) => cookieIn(request.header("cookie") ?? "", rest!);
  }
  const taken = ask(name, at);
  return () => taken;
}

const cookieIn = (header: string, name: string): string =>
  header
    .split(/;\s*/)
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? "";

function definedBy(
  directive: Directive,
  variables: Variables,
  within: readonly string[],
): Expression {
  variables.noteRead(directive);
  switch (directive.name) {
    case "map":
      return mapOf(directive, variables, within);
    case "geo":
      return geoOf(directive, variables, within);
    default:
      return expressionOf(directive.words[1] ?? "", directive, variables, within); // set $name value
  }
}

type Entry = readonly [isMatch: (value: string) => boolean, result: Expression];

function mapOf(directive: Directive, variables: Variables, within: readonly string[]): Expression {
  const { words, block } = directive;
  const source = expressionOf(words[0] ?? "", directive, variables, within);
  const entries = block ?? [];
  const hasHostnames = entries.some(({ name }) => name === "hostnames");
  const exact = new Map<string, Expression>();
  const masks: Entry[] = [];
  const patterns: Entry[] = [];
  let otherwise: Expression = () => "";
  for (const entry of entries) {
    const { name, words: values } = entry;
    if (values.length === 0) continue; // hostnames, volatile
    const result = expressionOf(values[0]!, entry, variables, within);
    if (name === "default") otherwise = result;
    else if (name.startsWith("~")) patterns.push([patternOf(name), result]);
    else if (hasHostnames && /[*]|^\./.test(name)) masks.push([hostMask(name), result]);
    else exact.set(name.replace(/^\\/, "").toLowerCase(), result);
  }
  return (request, server) => {
    const value = source(request, server);
    const found =
      exact.get(value.toLowerCase()) ??
      masks.find(([isMatch]) => isMatch(value))?.[1] ??
      patterns.find(([isMatch]) => isMatch(value))?.[1] ??
      otherwise;
    return found(request, server);
  };
}

/** `~pattern` or `~*pattern` of a map or a location. Throws a SyntaxError if it is no regular expression. */
export function patternOf(text: string): (value: string) => boolean {
  const [, isLoose, source] = /^~(\*?)(.*)$/s.exec(text)!;
  const pattern = new RegExp(named(source!), isLoose === "*" ? "i" : "");
  return (value) => pattern.test(value);
}

/** Groups with names are written in another way in the regular expressions of nginx. */
const named = (source: string): string => source.replaceAll("(?P<", "(?<");

/** `*.example.com`, `.example.com` or `www.example.*`. */
export function hostMask(mask: string): (host: string) => boolean {
  const text = mask.toLowerCase();
  if (text.startsWith("*.")) return (host) => host.toLowerCase().endsWith(text.slice(1));
  if (text.startsWith("."))
    return (host) => host.toLowerCase() === text.slice(1) || host.toLowerCase().endsWith(text);
  return (host) => host.toLowerCase().startsWith(text.slice(0, -1));
}

interface Network {
  readonly bytes: Uint8Array;
  readonly bits: number;
  readonly value: string;
}

/** The most specific network of the address decides. Ranges and proxies are not evaluated (`unreadGeo`). */
function geoOf(directive: Directive, variables: Variables, within: readonly string[]): Expression {
  const { words, block } = directive;
  const source =
    words.length < 2
      ? BUILT_IN["remote_addr"]!
      : expressionOf(words[0]!, directive, variables, within);
  const networks = (block ?? []).flatMap(networkOf);
  const otherwise = block?.find(({ name }) => name === "default")?.words[0] ?? "";
  return (request, server) => {
    const address = parseAddress(source(request, server));
    if (address === null) return otherwise;
    const found = networks
      .filter((network) => isIn(address, network))
      .toSorted((a, b) => b.bits - a.bits)[0];
    return found?.value ?? otherwise;
  };
}

function networkOf({ name, words }: Directive): readonly Network[] {
  const [text = "", prefix] = name.split("/");
  const bytes = parseAddress(text);
  if (bytes === null || words.length !== 1) return [];
  const length = text.includes(":") ? 128 : 32;
  return [{ bytes, bits: 8 * bytes.length - length + Number(prefix ?? length), value: words[0]! }];
}

function isIn(address: Uint8Array, { bytes, bits }: Network): boolean {
  if (address.length !== bytes.length) return false;
  for (let at = 0; at < bytes.length; at++) {
    const rest = bits - 8 * at;
    if (rest <= 0) return true;
    const mask = rest >= 8 ? 255 : (255 << (8 - rest)) & 255;
    if ((address[at]! & mask) !== (bytes[at]! & mask)) return false;
  }
  return true;
}

/** Statements of a `geo` that are not evaluated. */
export const unreadGeo = ({ block }: Directive): readonly Directive[] =>
  (block ?? []).filter(({ name }) =>
    ["ranges", "proxy", "proxy_recursive", "delete"].includes(name),
  );
