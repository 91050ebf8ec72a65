// Which route of Kong a request has, as the traditional router decides it (Kong 3, "Traditional router").
import { isFailure } from "../../../kit/reading/failure.ts";
import type { RequestFacts } from "../reading.ts";
import { regexOf } from "../regex.ts";
import { decode, pathOf, hostPattern } from "../request-parts.ts";
import { textIn, type YamlNode } from "../yaml-tree.ts";
import type { YamlReader } from "../yaml-reader.ts";

export interface KongRoute {
  readonly name: string;
  readonly service: string | null;
  /** How closely it matches: a higher list comes first. Null: it does not match. */
  readonly rankOf: (request: RequestFacts) => readonly number[] | null;
}

type RankTest = (request: RequestFacts) => number | null;

const IRRELEVANT_FIELDS =
  /^(?:id|tags|protocols|https_redirect_status_code|strip_path|preserve_host|request_buffering|response_buffering|path_handling|created_at|updated_at|ws_id)$/;

const READ_FIELDS =
  "name service plugins hosts paths methods headers regex_priority snis sources destinations expression priority".split(
    " ",
  );

export function readRoute(
  reader: YamlReader,
  node: YamlNode,
  of: Pick<KongRoute, "name" | "service">,
  isOldFormat: boolean,
): KongRoute {
  reader.noteOthers(node, READ_FIELDS, IRRELEVANT_FIELDS);
  for (const name of ["snis", "sources", "destinations"])
    if (reader.list(node, name).length > 0)
      reader.misunderstand(
        node.fields!.get(name)!,
        "a log does not have it, so it is taken to match",
      );
  const expression = reader.field(node, "expression");
  const priority = reader.number(node, "priority", ANY_NUMBER) ?? 0;
  if (expression !== undefined) {
    const isIn = reader.takeRequests(
      `route_${of.name}`,
      expression,
      "this reader does not know expressions of routes",
    );
    return { ...of, rankOf: (request) => (isIn(request) ? [priority] : null) };
  }
  const regexPriority = reader.number(node, "regex_priority", ANY_NUMBER) ?? 0;
  const headers = headerTests(reader, node);
  const hosts = hostTest(reader, node);
  const methods = reader.texts(node, "methods").map((each) => each.toUpperCase());
  const paths = pathTest(reader, node, { regexPriority, isOldFormat });
  const attributes = [hosts, methods[0], paths, headers[0]].filter(
    (each) => each !== undefined && each !== null,
  ).length;
  return {
    ...of,
    rankOf: (request) => {
      if (methods.length > 0 && !methods.includes(request.method)) return null;
      if (!headers.every((isIn) => isIn(request))) return null;
      const host = hosts === null ? 0 : hosts(request);
      const path = paths === null ? [] : paths(request);
      if (host === null || path === null) return null;
      return [attributes, headers.length, host, ...path];
    },
  };
}

const ANY_NUMBER = { test: () => true, words: "a number" };

/** 1 for a plain host, 0 for one with an asterisk. */
function hostTest(reader: YamlReader, node: YamlNode): RankTest | null {
  const hosts = reader.texts(node, "hosts");
  if (hosts.length === 0) return null;
  const tests = hosts.map((text) => ({ isIn: hostPattern(text), isPlain: !text.includes("*") }));
  return (request) => {
    const host = reader.hostOf(request, node);
    const found = tests.filter(({ isIn }) => isIn(host));
    if (found.length === 0) return null;
    return found.some(({ isPlain }) => isPlain) ? 1 : 0;
  };
}

function headerTests(
  reader: YamlReader,
  node: YamlNode,
): readonly ((request: RequestFacts) => boolean)[] {
  return [...(reader.field(node, "headers")?.fields ?? [])].map(([name, field]) => {
    const valueOf = reader.headerSource(name);
    const wanted = (field.items ?? [field]).map((each) => textIn(each).toLowerCase());
    const [only] = wanted;
    const regex = only?.startsWith("~*") ? regexOf(only.slice(2), { isLoose: true }) : null;
    if (isFailure(regex)) {
      reader.misunderstand(field, `${regex.message}, so it is taken to match`);
      return () => true;
    }
    return (request) => {
      const value = valueOf(request);
      if (value === null) return false;
      return regex === null ? wanted.includes(value.toLowerCase()) : regex.test(value);
    };
  });
}

/** Regular expressions come before prefixes, and longer prefixes before shorter ones. */
function pathTest(
  reader: YamlReader,
  node: YamlNode,
  { regexPriority, isOldFormat }: { readonly regexPriority: number; readonly isOldFormat: boolean },
): ((request: RequestFacts) => readonly number[] | null) | null {
  const paths = reader.list(node, "paths");
  if (paths.length === 0) return null;
  const tests = paths.map((item): ((path: string) => readonly number[] | null) => {
    const text = textIn(item);
    const isRegex = isOldFormat ? /[^\w./~%-]/.test(text) : text.startsWith("~");
    if (!isRegex) return (path) => (path.startsWith(text) ? [0, 0, text.length] : null);
    const regex = regexOf(`^(?:${text.replace(/^~/, "")})`);
    if (!isFailure(regex)) return (path) => (regex.test(path) ? [1, regexPriority, 0] : null);
    reader.misunderstand(
      node.fields!.get("paths")!,
      `${text}: ${regex.message}, so that it matches nothing here`,
    );
    return () => null;
  });
  return (request) => {
    const path = decode(pathOf(request));
    return tests.map((rankOf) => rankOf(path)).reduce(higher, null);
  };
}

type Rank = readonly number[] | null;

const higher = (a: Rank, b: Rank): Rank => (compareRanks(a, b) >= 0 ? a : b);

function compareRanks(a: Rank, b: Rank): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  const at = a.findIndex((value, index) => value !== (b[index] ?? 0));
  return at < 0 ? 0 : a[at]! - (b[at] ?? 0);
}

/** The route of a request; null: Kong answers 404. */
export function routeOf(routes: readonly KongRoute[], request: RequestFacts): KongRoute | null {
  let found: { readonly route: KongRoute; readonly rank: Rank } | null = null;
  for (const route of routes) {
    const rank = route.rankOf(request);
    if (rank !== null && (found === null || compareRanks(rank, found.rank) > 0))
      found = { route, rank };
  }
  return found?.route ?? null;
}
