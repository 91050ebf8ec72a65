// The servers and locations of nginx, and which of them a request belongs to when it is limited.
import type { RequestFacts } from "../reading.ts";
import { compareMasks, hostMask, isUnder, type HostMask } from "./map.ts";
import type { Directive } from "./parse.ts";
import { patternOf, placeProblems, patternWithSign, type Pattern } from "./patterns.ts";
import { doSteps, stepsOf, type NginxStep } from "./rewrites.ts";
import { readTarget } from "./uri.ts";
import type { Expression, NginxRequest } from "./request.ts";
import { expressionOf, type Variables } from "./variables.ts";

/** A server or a location, with the limits that apply in it. */
export interface NginxPlace {
  readonly directive: Directive;
  readonly sign: string; // "=", "^~", "~", "~*", "@" or ""
  readonly path: string; // of a location
  readonly pattern: Pattern | null; // of a location with `~`
  readonly steps: readonly NginxStep[]; // before limits
  readonly limits: readonly Directive[]; // `limit_req`, its own or inherited
  readonly dryRun: boolean;
  readonly status: number;
  readonly isInternal: boolean; // only rewritten requests come here
  readonly passes: boolean; // to an upstream, so that nginx redirects a request without the last slash
  readonly fallback: Expression | null; // the last word of `try_files`
  readonly locations: readonly NginxPlace[];
}

export interface Server extends NginxPlace {
  readonly names: readonly string[];
  readonly ports: readonly string[];
  readonly defaultAt: readonly string[]; // ports
}

type Inherited = Pick<NginxPlace, "limits" | "dryRun" | "status">;

const OUTSIDE: Inherited = { limits: [], dryRun: false, status: 503 };

/** What a block hands down to the blocks in it. nginx inherits `limit_req` only where a block has none of its own. */
function inheritFrom(directives: readonly Directive[], from: Inherited): Inherited {
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
export const serversOf = (http: readonly Directive[], variables: Variables): readonly Server[] => {
  const outside = inheritFrom(http, OUTSIDE);
  const servers = http.filter(({ name, block }) => name === "server" && block !== null);
  const locations = http.filter(({ name }) => name === "location" || name === "limit_req");
  // A file with locations alone is a part of some server.
  const bare =
    servers.length === 0 && locations.length > 0 ? { ...locations[0]!, block: http } : [];
  return servers.concat(bare).map((directive) => {
    const block = directive.block ?? [];
    const listens = block.filter(({ name }) => name === "listen");
    return {
      ...placeOf(directive, outside, variables, { sign: "", path: "" }),
      names: block.filter(({ name }) => name === "server_name").flatMap(({ words }) => words),
      ports: listens.length === 0 ? ["80"] : listens.map(portOf),
      defaultAt: listens
        .filter(({ words }) => words.includes("default_server") || words.includes("default"))
        .map(portOf),
    };
  });
};

export function portOf({ words: [address = ""] }: Directive): string {
  if (address.startsWith("unix:")) return address;
  return /^\d+$/.test(address) ? address : (/:(\d+)$/.exec(address)?.[1] ?? "80");
}

function placeOf(
  directive: Directive,
  outside: Inherited,
  variables: Variables,
  { sign, path }: Pick<NginxPlace, "sign" | "path">,
): NginxPlace {
  const block = directive.block ?? [];
  const own = inheritFrom(block, outside);
  return {
    directive,
    sign,
    path,
    pattern: sign.startsWith("~")
      ? placeProblems(directive, () => patternOf(path, sign === "~*"))
      : null,
    steps: stepsOf(block, variables),
    ...own,
    fallback: fallbackOf(block, variables),
    isInternal: block.some(({ name }) => name === "internal"),
    passes: block.some(({ name }) =>
      /^(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass$/.test(name),
    ),
    locations: block
      .filter((each) => each.name === "location" && each.block !== null)
      .map((each) => placeOf(each, own, variables, signOf(each))),
  };
}

/** Where `try_files` moves a request for which there is no file. Null: nowhere. */
function fallbackOf(block: readonly Directive[], variables: Variables): Expression | null {
  const files = block.find(({ name }) => name === "try_files");
  const last = files?.words.at(-1) ?? "=404";
  if (last.startsWith("=")) return null;
  return placeProblems(files!, () => expressionOf(last, files!, variables));
}

/** `= /path`, `=/path`, `~ pattern`, `@name` or `/path`. */
function signOf({ words }: Directive): Pick<NginxPlace, "sign" | "path"> {
  const [first = "", second] = words;
  if (second !== undefined) return { sign: first, path: second };
  const [, sign = "", path = ""] = /^(=|\^~|~\*?|@|)(.*)$/s.exec(first)!;
  return { sign, path };
}

/** The servers of one port, and which of them a host belongs to. */
export class ServersAtPort {
  readonly #exact = new Map<string, Server>();
  readonly #masks: readonly (readonly [HostMask, Server])[];
  readonly #patterns: readonly (readonly [Pattern, Server])[];
  readonly #default: Server;

  constructor(servers: readonly [Server, ...Server[]], port: string) {
    this.#default = servers.find(({ defaultAt }) => defaultAt.includes(port)) ?? servers[0];
    const masks: [HostMask, Server][] = [];
    const patterns: [Pattern, Server][] = [];
    for (const server of servers)
      for (const name of server.names) {
        const text = name.toLowerCase();
        if (name.startsWith("~"))
          patterns.push([placeProblems(server.directive, () => patternWithSign(name)), server]);
        else if (/^\*?\.|\.\*$/.test(text)) {
          masks.push([hostMask(text), server]);
          if (text.startsWith(".") && !this.#exact.has(text.slice(1)))
            this.#exact.set(text.slice(1), server);
        } else if (!this.#exact.has(text)) this.#exact.set(text, server);
      }
    this.#masks = masks.toSorted(([a], [b]) => compareMasks(a, b));
    this.#patterns = patterns;
  }

  at(host: string, request: NginxRequest): Server {
    return (
      this.#exact.get(host) ??
      this.#masks.find(([mask]) => isUnder(mask, host))?.[1] ??
      this.#patterns.find(([isMatch]) => isMatch(host, request))?.[1] ??
      this.#default
    );
  }
}

/** nginx searches a location this often for one request, and then answers 500. */
const MOST_MOVES = 10;

/** A request at the place that limits it. */
export interface PlacedRequest {
  readonly place: NginxPlace;
  readonly at: NginxRequest;
}

/** Null: nginx answers the request before any limit. `isCounted`: by some limit of the place. */
export function placeOfRequest(
  serverOf: (host: string, request: NginxRequest) => Server | null,
  isCounted: (placed: PlacedRequest) => boolean,
  facts: RequestFacts,
): PlacedRequest | null {
  const target = readTarget(facts.target);
  if (target === null || facts.method === "TRACE" || facts.method === "CONNECT") return null;
  const host = (target.host ?? facts.host).toLowerCase().replace(/:\d+$|\.$/, "");
  const at: NginxRequest = {
    ...target,
    facts,
    host,
    server: "",
    port: "",
    groups: [],
    values: new Map(),
  };
  const server = serverOf(host, at);
  if (server === null) return null;
  at.server = server.names[0] ?? "";
  if (doSteps(server.steps, at) === "answered") return null;
  let isInternal = at.uri !== target.uri;
  let named: NginxPlace | null = null;
  for (let moves = 0; moves <= MOST_MOVES; moves++) {
    const place: NginxPlace | null = named ?? locationAt(server, at);
    named = null;
    if (place === null || (place.isInternal && !isInternal)) return null;
    const done = place === server ? "next" : doSteps(place.steps, at);
    if (done === "answered") return null;
    if (done !== "moved") {
      if (place.fallback === null || isCounted({ place, at })) return { place, at };
      const [uri = "", args]: string[] = place.fallback(at).split("?", 2);
      if (uri.startsWith("@")) {
        named =
          server.locations.find(({ sign, path }) => sign === "@" && path === uri.slice(1)) ?? null;
        if (named === null) return null;
      } else {
        at.uri = uri;
        at.args = args ?? "";
      }
    }
    isInternal = true;
  }
  return null;
}

/** Whether limits count a request that moves to `target`, a path or the name of a location. */
export function areLimitedAt(server: Server, target: string): boolean {
  const [path = ""] = target.split("?", 1);
  if (path.includes("$")) return true; // it may be any path
  if (path.startsWith("@"))
    return server.locations.some(
      (place) => place.sign === "@" && place.path === path.slice(1) && place.limits.length > 0,
    );
  const uri = path.startsWith("/") ? path : `/${path}`;
  const facts = { address: "", method: "GET", target: uri, host: "", header: () => null };
  const at = {
    facts,
    host: "",
    server: "",
    port: "",
    uri,
    args: "",
    groups: [],
    values: new Map(),
  };
  return (locationAt(server, at)?.limits.length ?? 0) > 0;
}

/** The location of a request as ngx_http_core_find_location finds it. Null: nginx answers with a redirect. */
function locationAt(server: NginxPlace, at: NginxRequest): NginxPlace | null {
  const found = find(server, at);
  return found === REDIRECTED ? null : (found ?? { place: server }).place;
}

interface Found {
  readonly place: NginxPlace;
  readonly isFinal: boolean; // no pattern of an outer block is tried any more
}

const REDIRECTED = "redirected";

function find({ locations }: NginxPlace, at: NginxRequest): Found | typeof REDIRECTED | null {
  const { uri } = at;
  const exact = locations.find(({ sign, path }) => sign === "=" && path === uri);
  if (exact !== undefined) return { place: exact, isFinal: true };
  let longest: NginxPlace | null = null;
  for (const place of locations)
    if ((place.sign === "" || place.sign === "^~") && uri.startsWith(place.path))
      if (longest === null || place.path.length > longest.path.length) longest = place;
  if (longest?.path !== uri && locations.some((each) => isSlashAway(each, uri))) return REDIRECTED;
  let found: Found | null = null;
  if (longest !== null) {
    const inner = find(longest, at);
    if (inner === REDIRECTED || inner?.isFinal) return inner;
    found = inner ?? { place: longest, isFinal: false };
    if (longest.sign === "^~") return found;
  }
  for (const place of locations)
    if (place.pattern?.(uri, at)) {
      const inner = find(place, at);
      if (inner === REDIRECTED) return REDIRECTED;
      return { place: inner?.place ?? place, isFinal: true };
    }
  return found;
}

/** nginx redirects `/path` to `/path/` if that location passes requests to an upstream. */
const isSlashAway = ({ sign, path, passes }: NginxPlace, uri: string): boolean =>
  passes && (sign === "" || sign === "^~") && path === `${uri}/`;
