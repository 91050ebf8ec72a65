// Routes of the Gateway API (HTTPRoute and GRPCRoute): which route and rule a request has.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { parametersOf, pathOf, hostPattern, plainHost } from "../request-parts.ts";
import { regexOf } from "../regex.ts";
import { textIn, type YamlNode, type YamlNotes } from "../yaml-tree.ts";
import { fieldOf, itemsOf, readAll, type KubernetesResource } from "./resources.ts";

export interface KubernetesRoute {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly parents: readonly string[]; // names of gateways
  readonly hostnames: readonly string[]; // in lower case; empty: any
  readonly rules: readonly { readonly name: string; readonly matches: readonly RouteMatch[] }[];
}

interface RouteMatch {
  readonly tests: readonly RequestTest[];
  /** What makes one match come before another, the most important first. */
  readonly rank: readonly number[];
}

/** The place of a request: policies apply to it, and limits count in it. */
export interface RoutePlace {
  readonly route: KubernetesRoute;
  readonly rule: string; // its name, or empty
  readonly key: string; // names the rule, the match and the hostname
}

export interface RouteContext {
  readonly notes: YamlNotes;
  readonly headers: Set<string>; // that tests read, in lower case
}

export const isRoute = ({ kind, group }: KubernetesResource): boolean =>
  /^(?:HTTP|GRPC)Route$/.test(kind) && /^gateway\.networking\.k8s\.io$/.test(group);

export function routeOf(resource: KubernetesResource, context: RouteContext): KubernetesRoute {
  const { kind, name, namespace, spec } = resource;
  for (const path of ["hostnames", "parentRefs"]) readAll(spec, path, context.notes);
  const rules = itemsOf(spec, "rules").map((rule) => {
    readAll(rule, "matches", context.notes);
    readAll(rule, "name", context.notes);
    const written = itemsOf(rule, "matches");
    const matches =
      written.length === 0
        ? [{ tests: [], rank: [1, 1, 0, 0, 0] }]
        : written.map((match) => (kind === "GRPCRoute" ? grpcMatch : matchOf)(match, context));
    return { name: textIn(fieldOf(rule, "name")), matches };
  });
  return {
    kind,
    name,
    namespace,
    parents: itemsOf(spec, "parentRefs").map((parent) => textIn(fieldOf(parent, "name"))),
    hostnames: itemsOf(spec, "hostnames").map((each) => textIn(each).toLowerCase()),
    rules: rules.length === 0 ? [{ name: "", matches: [{ tests: [], rank: [] }] }] : rules,
  };
}

const RANKS: Readonly<Record<string, number>> = { PathPrefix: 1, RegularExpression: 2, Exact: 3 };

function matchOf(match: YamlNode, context: RouteContext): RouteMatch {
  const type = textIn(fieldOf(match, "path.type")) || "PathPrefix";
  const path = textIn(fieldOf(match, "path.value")) || "/";
  const tests: RequestTest[] = [];
  const ofPath = pathTest(match, type, path, context);
  if (ofPath !== null) tests.push((request) => ofPath(pathOf(request)));
  const method = textIn(fieldOf(match, "method"));
  if (method !== "") tests.push((request) => request.method === method);
  const headers = itemsOf(match, "headers");
  const params = itemsOf(match, "queryParams");
  tests.push(...headerTests(headers, context));
  for (const each of params) {
    const name = textIn(fieldOf(each, "name"));
    const test = valueTest(each, context.notes);
    if (test === null) continue;
    tests.push((request) => {
      const value = parametersOf(request).get(name);
      return value !== null && test(value);
    });
  }
  const rank = [
    RANKS[type] ?? 0,
    path.length,
    Number(method !== ""),
    headers.length,
    params.length,
  ];
  return { tests, rank };
}

/** Null: the path is not understood, which is noted, and taken to match. */
function pathTest(
  node: YamlNode,
  type: string,
  path: string,
  { notes }: RouteContext,
): ((path: string) => boolean) | null {
  if (type === "Exact") return (each) => each === path;
  if (type === "PathPrefix") return isBelow(path);
  const regex = type === "RegularExpression" ? regexOf(path, { isWhole: true }) : null;
  if (regex !== null && !isFailure(regex)) return (each) => regex.test(each);
  notes.note(node, "not understood", "this reader cannot read its path, and takes every path");
  return null;
}

/** Whether a path is the prefix or below it, by whole elements. */
export function isBelow(prefix: string): (path: string) => boolean {
  const start = prefix.replace(/\/$/, "");
  return (path) => path === start || path.startsWith(`${start}/`) || prefix === "/";
}

function headerTests(headers: readonly YamlNode[], context: RouteContext): readonly RequestTest[] {
  return headers.flatMap((each): readonly RequestTest[] => {
    const name = textIn(fieldOf(each, "name")).toLowerCase();
    const test = valueTest(each, context.notes);
    if (test === null) return [];
    context.headers.add(name);
    return [
      (request) => {
        const value = name === "host" ? request.host : request.header(name);
        return value !== null && test(value);
      },
    ];
  });
}

/** The test of `type` and `value`. Null: it cannot be read, which is noted, and is taken to hold. */
function valueTest(node: YamlNode, notes: YamlNotes): ((text: string) => boolean) | null {
  const value = textIn(fieldOf(node, "value"));
  if (textIn(fieldOf(node, "type")) !== "RegularExpression") return (text) => text === value;
  const regex = regexOf(value, { isWhole: true });
  if (!isFailure(regex)) return (text) => regex.test(text);
  notes.note(node, "not understood", "this reader cannot read its pattern, and takes it to match");
  return null;
}

function grpcMatch(match: YamlNode, context: RouteContext): RouteMatch {
  const [service, method] = ["service", "method"].map((name) =>
    textIn(fieldOf(match, `method.${name}`)),
  ) as [string, string];
  const headers = itemsOf(match, "headers");
  const ofPath: RequestTest = (request) => {
    const [, ownService, ownMethod] = pathOf(request).split("/");
    return (service === "" || service === ownService) && (method === "" || method === ownMethod);
  };
  return {
    tests: [ofPath, ...headerTests(headers, context)],
    rank: [3, service.length + method.length, 0, headers.length, 0],
  };
}

/** The place of a request among the routes; null: it has none. */
export function placeAt(
  routes: readonly KubernetesRoute[],
): (request: RequestFacts) => RoutePlace | null {
  const candidates = routes.flatMap((route) =>
    (route.hostnames.length === 0 ? ["*"] : route.hostnames).flatMap((hostname) =>
      route.rules.flatMap(({ name, matches }, rule) =>
        matches.map((match, index) => ({
          route,
          rule: name,
          key: `${route.namespace}/${route.name}/${rule}/${index}/${hostname}`,
          hostname,
          isOfHost: hostPattern(hostname),
          match,
        })),
      ),
    ),
  );
  const ordered = candidates.toSorted(
    (a, b) => compareHosts(a.hostname, b.hostname) || compare(a.match.rank, b.match.rank),
  );
  return (request) =>
    ordered.find(
      ({ isOfHost, match }) =>
        isOfHost(plainHost(request.host)) && match.tests.every((test) => test(request)),
    ) ?? null;
}

const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((own, at) => (b[at] ?? 0) - own).find((difference) => difference !== 0) ?? 0;

/** Names without a wildcard first, then longer ones. */
const compareHosts = (a: string, b: string): number =>
  Number(a.startsWith("*")) - Number(b.startsWith("*")) || b.length - a.length;
