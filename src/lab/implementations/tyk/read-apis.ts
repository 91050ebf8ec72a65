// API definitions of Tyk, classic and OAS: which requests an API has, and the limits of its own.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { RequestFacts } from "../reading.ts";
import { decode, pathOf, plainHost } from "../request-parts.ts";
import { regexOf, escapePattern } from "../regex.ts";
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";
import type { TykDocument } from "./read-documents.ts";
import { classicLists, oasLists, type TykLists } from "./read-lists.ts";
import {
  fieldOf,
  isTrue,
  limitIn,
  noLimit,
  patternTest,
  readAt,
  type TykContext,
  type TykEndpoint,
  type TykLimit,
} from "./read-limits.ts";

export interface TykApi extends TykLists {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly node: YamlNode;
  readonly isActive: boolean;
  readonly isKeyless: boolean;
  readonly hasContext: boolean; // whether patterns can read requests
  readonly hasLimits: boolean; // false: rate limits of every level are off
  readonly hasQuotas: boolean;
  readonly listenPath: string;
  readonly domain: string; // empty: any
  /** The part of a path within the API; null: it is none of its paths. */
  readonly within: (path: string) => string | null;
  readonly whole: TykLimit | null;
  readonly endpoints: readonly TykEndpoint[];
}

export function readClassic({ node, file, name }: TykDocument, context: TykContext): TykApi {
  const text = (path: string): string => textIn(readAt(node, path, context));
  const flag = (path: string): boolean => isTrue(readAt(node, path, context));
  const id = text("api_id") || text("id") || name;
  const global = readAt(node, "global_rate_limit", context);
  const numbers = limitIn(global, file, context);
  const isOff = isTrue(readAt(global, "disabled", context));
  const versions = versionsOf(node, id, file, context);
  return {
    id,
    name: text("name") || name || id,
    file,
    node,
    isActive: readAt(node, "active", context)?.value !== false,
    isKeyless: flag("use_keyless"),
    hasContext: flag("enable_context_vars"),
    hasLimits: !flag("disable_rate_limit"),
    hasQuotas: !flag("disable_quota"),
    ...placeOfApi(
      { listenPath: text("proxy.listen_path"), domain: text("domain"), id, node, file },
      context,
    ),
    whole: isOff ? null : numbers,
    endpoints: versions.flatMap((version) => entriesOf(version, file, context)),
    ...classicLists(versions.filter(hasExtendedPaths), context),
  };
}

/** The versions of which the entries apply: one, because a request has one version. */
function versionsOf(
  node: YamlNode,
  id: string,
  file: string,
  context: TykContext,
): readonly YamlNode[] {
  const data = fieldOf(node, "version_data");
  const versions = fieldOf(data, "versions")?.fields ?? null;
  const own = fieldOf(node, "extended_paths") === null ? [] : [node]; // of the short form
  if (versions === null || versions.size === 0) return own;
  const names = [...versions.keys()];
  const isVersioned = !isTrue(readAt(data, "not_versioned", context)) && names.length > 1;
  const usual = textIn(fieldOf(data, "default_version"));
  const first = versions.has(usual) ? usual : versions.has("Default") ? "Default" : names[0]!;
  if (!isVersioned) return [...own, versions.get(first)!];
  const question = `version_of_${id}`.replaceAll(/\W+/g, "_");
  const taken = context.questions.takeValue(question, first, { file, line: data!.line });
  context.notes.note(
    fieldOf(data, "versions")!,
    "question",
    `each request is taken to be of the version ${taken}; --set ${question}=NAME takes another`,
  );
  const found = versions.get(taken);
  if (found === undefined)
    context.problems.push(
      `--set ${question}=${taken} names no version of the API; they are ${names.join(", ")}`,
    );
  return found === undefined ? own : [...own, found];
}

const hasExtendedPaths = (version: YamlNode): boolean =>
  fieldOf(version, "use_extended_paths")?.value !== false;

function entriesOf(version: YamlNode, file: string, context: TykContext): readonly TykEndpoint[] {
  const extended = fieldOf(version, "extended_paths");
  const list = readAt(extended, "rate_limit", context);
  if (list === null || list.items === null || list.items.length === 0) return [];
  readAt(version, "use_extended_paths", context);
  if (!hasExtendedPaths(version)) {
    context.notes.note(list, "read", "without effect, because use_extended_paths is false");
    return [];
  }
  return list.items.flatMap((item) => {
    for (const field of childrenOf(item)) context.notes.noteAll(field, "read");
    const limit = limitIn(item, file, context);
    const test = patternTest(item, textIn(fieldOf(item, "path")), context);
    if (test === null) return [];
    return [
      {
        method: textIn(fieldOf(item, "method")),
        path: textIn(fieldOf(item, "path")),
        test,
        limit: limit ?? noLimit(file, item),
        isDisabled: isTrue(fieldOf(item, "disabled")),
      },
    ];
  });
}

/** Which requests an API has, by its listen path. */
export function placeOfApi(
  {
    listenPath,
    domain,
    id,
    node,
    file,
  }: Pick<TykApi, "listenPath" | "domain" | "id" | "node" | "file">,
  { isOn, problems }: TykContext,
): Pick<TykApi, "listenPath" | "domain" | "within"> {
  const written = listenPath === "" ? "/" : listenPath;
  const start = written.startsWith("/") ? written : `/${written}`;
  const source = start
    .split(/(\{[^{}]*\})/)
    .map((part, index) => {
      if (index % 2 === 0) return escapePattern(part);
      const [, pattern] = /^\{[^:}]*:(.*)\}$/s.exec(part) ?? [];
      return pattern === undefined ? "[^/]+" : `(?:${pattern})`;
    })
    .join("");
  const isStrict = !start.endsWith("/") && isOn("http_server_options.enable_strict_routes");
  const end = isStrict ? "(?=/|$)" : "";
  const regex = regexOf(`^${source}${end}`);
  if (isFailure(regex))
    problems.push(`${file}:${node.line}: this reader cannot read the listen path ${written}`);
  return {
    listenPath: start,
    domain: domain.toLowerCase(),
    within: (path) => {
      for (const prefix of [isFailure(regex) ? null : regex.exec(path)?.[0], `/${id}/`]) {
        if (prefix === null || prefix === undefined || !path.startsWith(prefix)) continue;
        const rest = path.slice(prefix.length);
        return rest.startsWith("/") ? rest : `/${rest}`;
      }
      return null;
    },
  };
}

/** The API of a request: the one with the longest listen path of those whose domain is that of the request. */
export function apiAt(
  apis: readonly TykApi[],
): (request: RequestFacts) => { readonly api: TykApi; readonly path: string } | null {
  const ordered = apis
    .filter(({ isActive }) => isActive)
    .toSorted(
      (a, b) =>
        Number(a.domain === "") - Number(b.domain === "") ||
        b.listenPath.length - a.listenPath.length,
    );
  return (request) => {
    const host = plainHost(request.host);
    const whole = decode(pathOf(request));
    for (const api of ordered) {
      if (api.domain !== "" && host !== "" && api.domain !== host) continue;
      const path = api.within(whole);
      if (path !== null) return { api, path };
    }
    return null;
  };
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export function readOas({ node, file, name }: TykDocument, context: TykContext): TykApi {
  const extension = readAt(node, "x-tyk-api-gateway", context);
  const at = (path: string): YamlNode | null => readAt(extension, path, context);
  const id = textIn(at("info.id")) || name || textIn(fieldOf(fieldOf(node, "info"), "title"));
  const domain = isTrue(at("server.customDomain.enabled"))
    ? textIn(at("server.customDomain.name"))
    : "";
  const whole = at("upstream.rateLimit");
  const operations = operationsOf(node, extension, context);
  return {
    id,
    name: textIn(at("info.name")) || id,
    file,
    node,
    isActive: at("info.state.active")?.value !== false,
    isKeyless: !isTrue(at("server.authentication.enabled")),
    hasContext: at("middleware.global.contextVariables.enabled")?.value !== false,
    hasLimits: !isTrue(at("middleware.global.skipRateLimit")),
    hasQuotas: !isTrue(at("middleware.global.skipQuota")),
    ...placeOfApi(
      { listenPath: textIn(at("server.listenPath.value")), domain, id, node, file },
      context,
    ),
    whole: oasLimit(whole, file, context),
    endpoints: oasEndpoints(operations, file, context),
    ...oasLists(operations, context),
  };
}

/** A limit with a duration such as 1m30s. Null: it is not enabled. */
function oasLimit(node: YamlNode | null, file: string, context: TykContext): TykLimit | null {
  if (node === null) return null;
  context.notes.noteAll(node, "read");
  if (!isTrue(fieldOf(node, "enabled"))) return null;
  const rate = fieldOf(node, "rate")?.value;
  const written = textIn(fieldOf(node, "per"));
  const per = secondsIn(written);
  if (typeof rate !== "number" || !Number.isInteger(rate) || per === null) {
    context.problems.push(
      `${file}:${node.line}: rateLimit needs an integer as rate and a per such as 1m30s; got ${String(rate)} and ${JSON.stringify(written)}`,
    );
    return null;
  }
  return { ...noLimit(file, fieldOf(node, "rate")!), rate, per };
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 1e-6 };

/** Whole seconds of a duration, rounded down. Null: it is none. */
function secondsIn(text: string): number | null {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|m|s)/gy)];
  if (text === "" || parts.map(([whole]) => whole).join("") !== text) return null;
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  return Math.floor(seconds + 1e-9);
}

interface OasOperation {
  readonly node: YamlNode; // its middleware
  readonly method: string;
  readonly path: string;
}

/** The operations with middleware, with the method and path that the document declares. */
function operationsOf(
  node: YamlNode,
  extension: YamlNode | null,
  { notes }: TykContext,
): readonly OasOperation[] {
  const paths = fieldOf(node, "paths");
  const declared = new Map<string, { readonly method: string; readonly path: string }>();
  for (const item of paths === null ? [] : childrenOf(paths))
    for (const method of METHODS) {
      const id = textIn(fieldOf(fieldOf(item, method), "operationId"));
      if (id !== "") declared.set(id, { method: method.toUpperCase(), path: item.name });
    }
  const operations = fieldOf(fieldOf(extension, "middleware"), "operations");
  return (operations === null ? [] : childrenOf(operations)).flatMap((operation) => {
    const place = declared.get(operation.name);
    if (place !== undefined) return [{ ...place, node: operation }];
    const limit = fieldOf(operation, "rateLimit");
    if (limit === null) return [];
    notes.noteAll(limit, "read");
    notes.note(
      limit,
      "not understood",
      `no path has the operationId ${operation.name}, so this limit is missing`,
    );
    return [];
  });
}

const oasEndpoints = (
  operations: readonly OasOperation[],
  file: string,
  context: TykContext,
): readonly TykEndpoint[] =>
  operations
    .flatMap(({ node, method, path }) => {
      const written = fieldOf(node, "rateLimit");
      if (written === null) return [];
      const limit = oasLimit(written, file, context);
      const test = patternTest(written, path, context);
      if (test === null) return [];
      const isDisabled = limit === null;
      return [{ method, path, test, limit: limit ?? noLimit(file, written), isDisabled }];
    })
    .toSorted((a, b) => byOrder(a.path, b.path));

/** The order in which Tyk tries the paths of an OAS document: more parts first, then longer ones. */
function byOrder(a: string, b: string): number {
  const [left, right] = [a, b].map((path) => path.replaceAll(/\{[^{}]*\}/g, "")) as [
    string,
    string,
  ];
  const slashes = (path: string): number => path.split("/").length;
  return (
    slashes(right) - slashes(left) ||
    right.length - left.length ||
    (left < right ? -1 : Number(left > right)) ||
    Number(a.includes("{")) - Number(b.includes("{"))
  );
}
