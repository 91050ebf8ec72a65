// Which route of APISIX a request has: the router radixtree_host_uri or radixtree_uri, by uri, host, method and vars.
import { isFailure } from "../../../kit/reading/failure.ts";
import { parseNetwork } from "../networks.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { regexOf, escapePattern } from "../regex.ts";
import { decode, parametersOf, pathOf, hostPattern } from "../request-parts.ts";
import type { Source } from "../sources.ts";
import type { YamlReader } from "../yaml-reader.ts";
import { textIn, type YamlNode } from "../yaml-tree.ts";

/** How closely it matches: a higher list comes first. Null: it does not match. */
export type RankOf = (request: RequestFacts) => readonly number[] | null;

/** The fields of a route, or of the match of an ApisixRoute. */
export function readMatch(reader: YamlReader, node: YamlNode, name: string): RankOf {
  const paths = ["uri", "uris", "paths"].flatMap((field) => reader.texts(node, field));
  const hosts = ["host", "hosts"].flatMap((field) => reader.texts(node, field)).map(hostPattern);
  const methods = reader.texts(node, "methods").map((each) => each.toUpperCase());
  const networks = ["remote_addr", "remote_addrs", "remoteAddrs"].flatMap((field) =>
    reader.list(node, field).map((each) => ({ each, isIn: parseNetwork(textIn(each)) })),
  );
  for (const { each, isIn } of networks)
    if (isIn === null)
      reader.fail(each, `remote_addrs has "${textIn(each)}"; write an address or network`);
  const priority = reader.number(node, "priority", WHOLE) ?? 0;
  const vars = testsOfVars(reader, node, name);
  return (request) => {
    if (methods.length > 0 && !methods.includes(request.method)) return null;
    if (hosts.length > 0 && !hosts.some((isIn) => isIn(reader.hostOf(request, node)))) return null;
    if (networks.length > 0 && !networks.some(({ isIn }) => isIn?.(request.address))) return null;
    if (!vars.every((isIn) => isIn(request))) return null;
    const path = decode(pathOf(request));
    const ranks = paths.flatMap((pattern) => rankOfPath(pattern, path));
    if (paths.length > 0 && ranks.length === 0) return null;
    return [Math.max(0, ...ranks), priority];
  };
}

const WHOLE = { test: Number.isSafeInteger, words: "an integer" };

/** A whole path comes before a prefix, and a longer prefix before a shorter one. */
function rankOfPath(pattern: string, path: string): readonly number[] {
  if (pattern.endsWith("*")) {
    const prefix = pattern.slice(0, -1);
    return path.startsWith(prefix) ? [prefix.length] : [];
  }
  const isMatch = pattern.includes("/:")
    ? new RegExp(`^${escapePattern(pattern).replaceAll(/\/:\w+/g, "/[^/]+")}$`).test(path)
    : pattern === path;
  return isMatch ? [Number.MAX_SAFE_INTEGER] : [];
}

/** Conditions such as ["arg_version", "==", "v2"], in lists that all have to hold. Others are a question. */
function testsOfVars(reader: YamlReader, node: YamlNode, name: string): readonly RequestTest[] {
  const tests: RequestTest[] = [];
  for (const field of ["vars", "filter_func", "exprs"]) {
    const list = reader.field(node, field);
    if (list === undefined) continue;
    const parsed =
      field === "vars" ? (list.items ?? []).map((item) => testOf(reader, item)) : [null];
    if (parsed.includes(null))
      tests.push(
        reader.takeRequests(`route_${name}`, list, `this reader does not know these ${field}`),
      );
    else tests.push(...(parsed as readonly RequestTest[]));
  }
  return tests;
}

function testOf(reader: YamlReader, { items }: YamlNode): RequestTest | null {
  if (items === null || items.length !== 3) return null;
  const [variable, operator, last] = items as [YamlNode, YamlNode, YamlNode];
  const source = variableSource(reader, textIn(variable));
  if (source === null) return null;
  const wanted = last.items?.map(textIn) ?? [textIn(last)];
  const regex = /^~[~*]$/.test(textIn(operator))
    ? regexOf(wanted[0] ?? "", { isLoose: textIn(operator) === "~*" })
    : null;
  if (isFailure(regex)) return null;
  if (regex !== null) return (request) => regex.test(source(request) ?? "");
  if (/^(?:==|in|IN)$/.test(textIn(operator)))
    return (request) => wanted.includes(source(request) ?? "");
  return textIn(operator) === "~=" ? (request) => !wanted.includes(source(request) ?? "") : null;
}

const VARIABLES: Readonly<Record<string, Source>> = {
  remote_addr: ({ address }) => address || null,
  server_addr: () => "",
  uri: (request) => pathOf(request),
  request_uri: ({ target }) => target,
  request_method: ({ method }) => method,
};

/** The value of a variable of a request; null: only production has it. */
export function variableSource(reader: YamlReader, name: string): Source | null {
  const known = VARIABLES[name];
  if (known !== undefined) return known;
  if (name === "host" || name === "http_host") return ({ host }) => host || null;
  const [, kind, own = ""] = /^(http|arg|cookie)_(.+)$/.exec(name) ?? [];
  if (kind === "http") return reader.headerSource(own.replaceAll("_", "-"));
  if (kind === "arg") return (request) => parametersOf(request).get(own);
  if (kind !== "cookie") return null;
  const cookies = reader.headerSource("cookie");
  return (request) =>
    (cookies(request) ?? "")
      .split(/;\s*/)
      .find((each) => each.startsWith(`${own}=`))
      ?.slice(own.length + 1) ?? null;
}
