// The servers and locations of nginx, and which of them a request belongs to.
import type { RequestFacts } from "../reading.ts";
import type { Directive } from "./parse.ts";
import { hostMask, patternOf, uriOf } from "./variables.ts";

/** A server or a location, with the limits that apply in it. */
export interface Place {
  readonly directive: Directive;
  readonly server: string; // the first name of its server
  readonly locations: readonly Place[];
  readonly limits: readonly Directive[]; // `limit_req`, its own or inherited
  readonly returns: Directive | null; // an unconditional `return`, which comes before limits
  readonly dryRun: boolean;
  readonly status: number;
}

type Inherited = Pick<Place, "limits" | "dryRun" | "status">;

const OUTSIDE: Inherited = { limits: [], dryRun: false, status: 503 };

/** What a block hands down to the blocks in it. nginx inherits `limit_req` only where a block has none of its own. */
function inherited(directives: readonly Directive[], from: Inherited): Inherited {
  const own = directives.filter(({ name }) => name === "limit_req");
  const last = (name: string): string | undefined =>
    directives.findLast((each) => each.name === name)?.words[0];
  const dryRun = last("limit_req_dry_run");
  const status = last("limit_req_status");
  return {
    limits: own.length > 0 ? own : from.limits,
    dryRun: dryRun === undefined ? from.dryRun : dryRun === "on",
    status: status === undefined ? from.status : Number(status),
  };
}

/** All servers of the content of an `http` block. */
export const serversOf = (http: readonly Directive[]): readonly Place[] => {
  const outside = inherited(http, OUTSIDE);
  return http
    .filter(({ name, block }) => name === "server" && block !== null)
    .map((directive) => {
      const names = namesOf(directive);
      return placeOf(directive, names[0] ?? "", outside);
    });
};

export const namesOf = ({ block }: Directive): readonly string[] =>
  (block ?? []).filter(({ name }) => name === "server_name").flatMap(({ words }) => words);

function placeOf(directive: Directive, server: string, outside: Inherited): Place {
  const block = directive.block ?? [];
  const own = inherited(block, outside);
  return {
    directive,
    server,
    ...own,
    returns: block.find(({ name }) => name === "return") ?? null,
    locations: block
      .filter((each) => each.name === "location" && each.block !== null)
      .map((each) => placeOf(each, server, own)),
  };
}

/** The server of a request: by an exact name, a mask, a pattern, or the default server. */
export function serverAt(servers: readonly Place[], host: string): Place | null {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  const matching = (isMatch: (serverName: string) => boolean): Place | undefined =>
    servers.find(({ directive }) => namesOf(directive).some(isMatch));
  return (
    matching((each) => each.toLowerCase() === name) ??
    matching((each) => /^\*?\.|\.\*$/.test(each) && hostMask(each)(name)) ??
    matching((each) => each.startsWith("~") && patternOf(each)(name)) ??
    servers.find(({ directive }) => isDefault(directive)) ??
    servers[0] ??
    null
  );
}

const isDefault = ({ block }: Directive): boolean =>
  (block ?? []).some(({ name, words }) => name === "listen" && words.includes("default_server"));

/** The innermost place of a request: nginx prefers `=`, then `^~`, then patterns in their order, then the longest prefix. */
export function placeAt(server: Place, request: RequestFacts): Place {
  let place = server;
  for (;;) {
    const inner = locationAt(place.locations, uriOf(request));
    if (inner === null) return place;
    place = inner;
  }
}

interface LocationPattern {
  readonly sign: "=" | "^~" | "~" | "~*" | "";
  readonly path: string;
}

export function locationPattern({ words }: Directive): LocationPattern {
  const [first = "", second] = words;
  const [, glued, rest] = /^(=|\^~|~\*?)(.*)$/s.exec(first) ?? [];
  const sign = (glued ?? "") as LocationPattern["sign"];
  return { sign, path: glued === undefined ? first : ((rest || second) ?? "") };
}

function locationAt(locations: readonly Place[], uri: string): Place | null {
  const withPatterns = locations.map((place) => ({ place, ...locationPattern(place.directive) }));
  const exact = withPatterns.find(({ sign, path }) => sign === "=" && path === uri);
  if (exact !== undefined) return exact.place;
  const prefixes = withPatterns
    .filter(({ sign, path }) => (sign === "" || sign === "^~") && !path.startsWith("@"))
    .filter(({ path }) => uri.startsWith(path))
    .toSorted((a, b) => b.path.length - a.path.length);
  const [longest] = prefixes;
  if (longest?.sign === "^~") return longest.place;
  const byPattern = withPatterns.find(
    ({ sign, path }) => (sign === "~" || sign === "~*") && patternOf(`${sign}${path}`)(uri),
  );
  return (byPattern ?? longest)?.place ?? null;
}
