// An OAS document with the gateway's extension: limits are listed by operationId, and `paths` has path and method of
// the operation (EPT-4, EPT-5, EPT-6).
import type {
  ApiDefinition,
  EndpointLimit,
  GatewayOptions,
  OmittedLimit,
  PathPattern,
} from "../core/config.ts";
import type { Limit } from "../core/limit.ts";
import type { Path } from "../../kit/reading/problems.ts";
import { METHODS, noteLeftOut, readPattern, warnRepeated, type PlacedLimit } from "./endpoints.ts";
import { readLimit } from "./limit.ts";
import { keyByIn } from "./key-by.ts";
import { listenPathOf } from "./listen-path.ts";
import * as members from "./api-members.ts";
import type { MemberTable } from "./members.ts";
import { isExact } from "./pattern.ts";
import {
  at,
  has,
  isObject,
  member,
  note,
  noteAt,
  open,
  openMember,
  show,
  type Findings,
  type PlacedObject,
} from "./place.ts";
import { orServers, targetFrom } from "./target.ts";
import { booleanIn, orElse, textIn } from "./values.ts";

export function readOas(
  name: string,
  raw: unknown,
  path: Path,
  findings: Findings,
  wrapper: PlacedObject | null,
  options: GatewayOptions,
): ApiDefinition | null {
  const place = open(raw, path, findings, members.OAS_DOCUMENT);
  if (place === null) return null;
  const extension = openMember(place, members.OAS_EXTENSION_NAME, members.OAS_EXTENSION);
  const inside = (
    owner: PlacedObject | null,
    memberName: string,
    table: MemberTable,
  ): PlacedObject | null => (owner === null ? null : openMember(owner, memberName, table));
  const info = inside(extension, "info", members.OAS_API_INFO);
  const state = inside(info, "state", members.OAS_STATE);
  const server = inside(extension, "server", members.OAS_SERVER);
  const authentication = inside(server, "authentication", members.OAS_AUTHENTICATION);
  const upstream = inside(extension, "upstream", members.OAS_UPSTREAM);
  const middleware = inside(extension, "middleware", members.OAS_MIDDLEWARE);
  const global = inside(middleware, "global", members.OAS_GLOBAL);
  const listening = inside(server, "listenPath", members.OAS_LISTEN_PATH);
  const listenPath = listenPathOf(place, [
    [listening, "value"],
    [place, "listen"],
    [wrapper, "listen"],
  ]);
  const operations = readOperations(place);
  const leftOut: OmittedLimit[] = [];
  const endpoints = [middleware, extension]
    .flatMap((owner) => (owner === null ? [] : readLimitedOperations(owner, operations, leftOut)))
    .toSorted((a, b) => byEvaluation(a.limit, b.limit));
  warnRepeated(place, endpoints, options);
  const api = {
    id: (info === null ? null : textIn(info, "id")) ?? name,
    name: (info === null ? null : textIn(info, "name")) ?? name,
    active: state === null || orElse(booleanIn(state, "active"), true),
    keyless: authentication !== null && booleanIn(authentication, "enabled") === false,
    disableRateLimit: global !== null && orElse(booleanIn(global, "skipRateLimit"), false),
    globalRateLimit: upstream === null ? null : rateLimitIn(upstream, "global_rate_limit", leftOut),
    endpoints: endpoints.map(({ limit }) => limit),
    ...orServers(targetFrom([upstream, "url"], wrapper), place),
    stripListenPath: listening !== null && orElse(booleanIn(listening, "strip"), false),
    form: "oas" as const,
    ...keyByIn([place, wrapper]),
    ...(leftOut.length > 0 && { leftOut }),
  };
  return listenPath === null ? null : { ...api, listenPath };
}

interface Operation {
  readonly method: string;
  readonly pathText: string;
  readonly place: PlacedObject; // the place of its path item
  limited: boolean;
}

function readOperations(place: PlacedObject): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  const paths = member(place, "paths") ?? {};
  if (!isObject(paths)) {
    noteAt(place, "paths", "CFG-TYPE", `paths must be an object; got ${show(paths)}`);
    return operations;
  }
  for (const [pathText, item] of Object.entries(paths)) {
    if (item === null || pathText.startsWith("x-")) continue; // not a path: an extension may contain anything
    const path = [...at(place, "paths"), pathText];
    if (isObject(item)) {
      declare(operations, pathText, { raw: item, path, findings: place.findings });
    } else {
      const message = `a path item must be an object; got ${show(item)}`;
      note(place.findings.problems, "CFG-TYPE", path, message);
    }
  }
  return operations;
}

function declare(operations: Map<string, Operation>, pathText: string, item: PlacedObject): void {
  for (const method of METHODS) {
    const operation = member(item, method.toLowerCase());
    if (!isObject(operation)) continue;
    const place: PlacedObject = {
      raw: operation,
      path: at(item, method.toLowerCase()),
      findings: item.findings,
    };
    const id = textIn(place, "operationId");
    if (id === null) continue;
    if (operations.has(id)) {
      const message = `operationId ${show(id)} is declared twice`;
      noteAt(place, "operationId", "CFG-OAS-OPERATION-DUPLICATE", message);
    } else {
      operations.set(id, { method, pathText, place: item, limited: false });
    }
  }
}

function readLimitedOperations(
  owner: PlacedObject,
  declared: ReadonlyMap<string, Operation>,
  leftOut: OmittedLimit[],
): readonly PlacedLimit[] {
  const all = member(owner, "operations");
  if (all === null) return [];
  if (!isObject(all)) {
    noteAt(owner, "operations", "CFG-TYPE", `operations must be an object; got ${show(all)}`);
    return [];
  }
  return Object.keys(all).flatMap((id): readonly PlacedLimit[] => {
    const path = [...at(owner, "operations"), id];
    const place = open(all[id], path, owner.findings, members.OAS_OPERATION);
    const operation = declared.get(id);
    if (operation === undefined) {
      const message = `no path declares operationId ${show(id)}`;
      note(owner.findings.problems, "CFG-OAS-OPERATION-UNKNOWN", path, message);
      return [];
    }
    if (place === null || !has(place, "rateLimit")) return [];
    if (operation.limited) {
      const message = `operation ${show(id)} has two rateLimit objects`;
      noteAt(place, "rateLimit", "CFG-OAS-OPERATION-DUPLICATE", message, "keep one of them");
    }
    operation.limited = true;
    const limit = rateLimitIn(place, `${operation.method} ${operation.pathText}`, leftOut);
    const pattern = limit === null ? null : readPattern(operation.place, null, operation.pathText);
    if (limit === null || pattern === null) return [];
    return [{ limit: { method: operation.method, pattern, limit }, path: at(place, "rateLimit") }];
  });
}

function rateLimitIn(owner: PlacedObject, where: string, leftOut: OmittedLimit[]): Limit | null {
  const place = openMember(owner, "rateLimit", members.OAS_RATE_LIMIT);
  return place === null || noteLeftOut(place, where, leftOut)
    ? null
    : readLimit(place, { smoothing: null, per: "oas" });
}

const literals = (pattern: PathPattern): number =>
  pattern.pieces.reduce((sum, piece) => sum + piece.length, 0);
const firstLiteral = (pattern: PathPattern): number => pattern.pieces[0]?.length ?? 0;

/** The order of evaluation (EPT-6, EPT-C3): exact paths, longer literal prefixes, more literal characters, text. */
function byEvaluation(a: EndpointLimit, b: EndpointLimit): number {
  return (
    Number(isExact(b.pattern)) - Number(isExact(a.pattern)) ||
    firstLiteral(b.pattern) - firstLiteral(a.pattern) ||
    literals(b.pattern) - literals(a.pattern) ||
    (a.pattern.text < b.pattern.text ? -1 : Number(a.pattern.text > b.pattern.text))
  );
}
