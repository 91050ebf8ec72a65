// Virtual hosts and routes of Envoy: which of them a request belongs to.
import type { RequestFacts, RequestTest } from "../reading.ts";
import { pathOf } from "../request-parts.ts";
import { findOnce } from "../rule-parts.ts";
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";
import {
  fieldOf,
  headerTest,
  queryTest,
  readField,
  wholeMatch,
  type EnvoyContext,
} from "./read-matchers.ts";

export interface EnvoyRoute {
  readonly node: YamlNode;
  readonly cluster: string;
  readonly matches: RequestTest;
}

export interface EnvoyHost {
  readonly node: YamlNode;
  readonly domains: readonly string[]; // in lower case
  readonly routes: readonly EnvoyRoute[];
}

export const hostsOf = (routes: YamlNode | null, context: EnvoyContext): readonly EnvoyHost[] =>
  (readField(routes, "virtual_hosts", context)?.items ?? []).map((node) => {
    const domains = (readField(node, "domains", context)?.items ?? []).map(textIn);
    const list = readField(node, "routes", context)?.items ?? [];
    return {
      node,
      domains: domains.map((each) => each.toLowerCase()),
      routes: list.map((route) => routeOf(route, context)),
    };
  });

function routeOf(node: YamlNode, context: EnvoyContext): EnvoyRoute {
  const match = readField(node, "match", context);
  const tests = [pathTest(match, context), ...otherTests(match, context)];
  return {
    node,
    cluster: textIn(fieldOf(fieldOf(node, "route"), "cluster")),
    matches: (request) => tests.every((test) => test(request)),
  };
}

/** Compares the path without the query. */
function pathTest(match: YamlNode | null, context: EnvoyContext): RequestTest {
  const isLoose = readField(match, "case_sensitive", context)?.value === false;
  const fold = (text: string): string => (isLoose ? text.toLowerCase() : text);
  const own = (name: string): string | null => {
    const field = readField(match, name, context);
    return field === null ? null : fold(textIn(field));
  };
  const compare =
    (test: (path: string) => boolean): RequestTest =>
    (request) =>
      test(fold(pathOf(request)));
  const prefix = own("prefix");
  if (prefix !== null) return compare((path) => path.startsWith(prefix));
  const path = own("path");
  if (path !== null) return compare((each) => each === path);
  const separated = own("path_separated_prefix");
  if (separated !== null)
    return compare((each) => each === separated || each.startsWith(`${separated}/`));
  const regex = fieldOf(match, "safe_regex");
  if (regex !== null) context.notes.noteAll(regex, "read");
  const test = regex === null ? null : wholeMatch(regex);
  if (test !== null) return (request) => test(pathOf(request));
  if (match !== null)
    context.notes.note(match, "not understood", "this reader knows no such path, and takes none");
  return () => false;
}

/** Headers and query parameters. An unknown condition is taken to hold. */
function otherTests(match: YamlNode | null, context: EnvoyContext): readonly RequestTest[] {
  const of = (name: string): readonly YamlNode[] => readField(match, name, context)?.items ?? [];
  for (const name of [
    "grpc",
    "runtime_fraction",
    "tls_context",
    "dynamic_metadata",
    "filter_state",
  ]) {
    const field = fieldOf(match, name);
    if (field !== null)
      context.notes.note(field, "not understood", "the route is taken to have such requests");
  }
  return [
    ...of("headers").flatMap((each) => headerTest(each, context) ?? []),
    ...of("query_parameters").flatMap((each) => queryTest(each, context) ?? []),
  ];
}

/** An exact domain comes first, then the longest `*.example.com`, then the longest `example.*`, then `*`. */
export function hostAt(
  hosts: readonly EnvoyHost[],
  { host }: RequestFacts,
  stripsPort: boolean,
): EnvoyHost | null {
  const name = host.toLowerCase().replace(stripsPort ? /:\d+$/ : "", "");
  const ranks = hosts.flatMap((each) =>
    each.domains.map((domain) => ({ each, rank: rankOf(domain, name) })),
  );
  const best = ranks.toSorted((a, b) => b.rank - a.rank)[0];
  return best === undefined || best.rank < 0 ? null : best.each;
}

const EXACT = 1_000_000;
const SUFFIX = 10_000;

function rankOf(domain: string, host: string): number {
  if (domain === host) return EXACT;
  if (domain === "*") return 0;
  if (domain.startsWith("*")) return host.endsWith(domain.slice(1)) ? SUFFIX + domain.length : -1;
  if (domain.endsWith("*")) return host.startsWith(domain.slice(0, -1)) ? domain.length : -1;
  return -1;
}

export const routeAt = (host: EnvoyHost | null, request: RequestFacts): EnvoyRoute | null =>
  host?.routes.find(({ matches }) => matches(request)) ?? null;

/** Every map in a file that has this field. */
export function nodesWith(root: YamlNode, name: string): readonly YamlNode[] {
  const inside = childrenOf(root).flatMap((child) => nodesWith(child, name));
  return fieldOf(root, name) === null ? inside : [root, ...inside];
}

/** Requests as routes and limits see them: Envoy appends the address of the client to a header. */
export function appendAddress(
  manager: YamlNode | null,
  context: EnvoyContext,
): (request: RequestFacts) => RequestFacts {
  const isTrue = (name: string): boolean => readField(manager, name, context)?.value === true;
  if (!isTrue("use_remote_address") || isTrue("skip_xff_append")) return (request) => request;
  return findOnce(({ address, method, target, host, header }) => ({
    address,
    method,
    target,
    host,
    header: (name) =>
      name === "x-forwarded-for" && address !== ""
        ? [header(name) ?? [], address].flat().join(",")
        : header(name),
  }));
}

export function textOfMatch(match: YamlNode | null): string {
  const [first] = match?.fields?.values() ?? [];
  return textIn(first) || textIn(fieldOf(first, "regex"));
}
