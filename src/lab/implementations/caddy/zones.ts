// The zones of rate_limit, by the documentation and the source of the module caddy-ratelimit: a ring of the times of
// admitted requests, so a sliding log in which a request that is exactly as old as the window still counts.
import { formatDuration, micros } from "../../../kit/units.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import { networkOf, parseAddress } from "../../../limiter/core/address.ts";
import { parseGoDuration } from "../durations.ts";
import type { ReadRule, RequestFacts, RequestTest } from "../reading.ts";
import { parametersOf, pathOf } from "../request-parts.ts";
import type { Source } from "../sources.ts";
import { matcherOf, matchersIn, type MatcherWorld } from "./matchers.ts";
import type { CaddyDirective } from "./parse.ts";

export interface ZoneWorld extends MatcherWorld {
  readonly fail: (directive: CaddyDirective, what: string) => void;
  readonly note: (
    directive: CaddyDirective,
    role: "read" | "irrelevant" | "not understood",
    consequence?: string,
  ) => void;
  readonly takeSource: (name: string, directive: CaddyDirective) => Source;
}

export interface CaddyZone extends Pick<
  ReadRule,
  "limit" | "written" | "options" | "sharesCounters"
> {
  readonly name: string;
  readonly directive: CaddyDirective;
  readonly isIn: RequestTest;
  readonly keyOf: Source;
}

const OPTIONS = optionsFrom({
  algorithm: "sliding_log",
  imitate: { refused: "free", window_end: "counted" },
});

const OTHER_OPTIONS = /^(?:log_key|disable_metrics|storage|jitter|sweep_interval)$/;

/** The zones of a rate_limit, the one of the highest rate first. */
export function readZones(directive: CaddyDirective, world: ZoneWorld): readonly CaddyZone[] {
  const zones: CaddyZone[] = [];
  for (const each of directive.block ?? []) {
    const [word = "", name = ""] = each.words;
    if (word === "zone") {
      world.note(each, "read");
      zones.push(...readZone(each, name, world));
    } else if (word === "distributed") world.note(each, "read"); // instances read the counters of the others every 5 s
    else if (OTHER_OPTIONS.test(word)) noteAll(each, world);
    else world.note(each, "not understood", UNKNOWN);
  }
  const rateOf = ({ limit }: CaddyZone): number => limit.rate / limit.perUs;
  const isDistributed = (directive.block ?? []).some(({ words }) => words[0] === "distributed");
  return zones
    .toSorted((a, b) => rateOf(b) - rateOf(a))
    .map((zone) => (isDistributed ? { ...zone, sharesCounters: true } : zone));
}

const UNKNOWN = "this reader does not know it; if it limits requests, the result is wrong";

function noteAll(directive: CaddyDirective, world: ZoneWorld): void {
  world.note(directive, "irrelevant");
  for (const each of directive.block ?? []) noteAll(each, world);
}

function readZone(directive: CaddyDirective, name: string, world: ZoneWorld): readonly CaddyZone[] {
  const fields = new Map<string, CaddyDirective>();
  for (const each of directive.block ?? []) {
    const [word = ""] = each.words;
    fields.set(word, each);
    const isKnown = /^(?:match|key|window|events|ipv[46]_prefix)$/.test(word);
    world.note(each, isKnown ? "read" : "not understood", isKnown ? "" : UNKNOWN);
    if (word === "match") for (const matcher of matchersIn(each)) world.note(matcher, "read");
  }
  const valueOf = (field: string): string => fields.get(field)?.words[1] ?? "";
  const windowUs = parseGoDuration(valueOf("window"));
  const events = Number(valueOf("events"));
  const fail = (field: string, what: string): readonly CaddyZone[] => {
    const written = valueOf(field);
    const [, variable] = /^\{\$(\w+)\}$/.exec(written) ?? [];
    const problem =
      variable !== undefined
        ? `${field} is the variable ${variable}, which has no default; write --set ${variable}=VALUE`
        : written === ""
          ? `zone ${name} has no ${field}; write ${what}`
          : `${field} is "${written}"; write ${what}`;
    world.fail(fields.get(field) ?? directive, problem);
    return [];
  };
  if (windowUs === null || windowUs <= 0) return fail("window", "a duration such as 1m");
  if (!Number.isSafeInteger(events) || events < 0 || valueOf("events") === "")
    return fail("events", "an integer of at least 0");
  const match = fields.get("match");
  const perUs = micros(Math.round(windowUs));
  return [
    {
      name,
      directive,
      limit: { rate: events, perUs },
      written: `${events} per ${formatDuration(perUs)}`,
      options: OPTIONS,
      isIn: match === undefined ? () => true : matcherOf(matchersIn(match), world),
      keyOf: withNetworks(
        keySource(valueOf("key"), fields.get("key") ?? directive, world),
        Number(valueOf("ipv4_prefix")) || 0,
        Number(valueOf("ipv6_prefix")) || 0,
      ),
    },
  ];
}

/** In place of an address as the key comes its network. */
function withNetworks(keyOf: Source, ofIpv4: number, ofIpv6: number): Source {
  if (ofIpv4 === 0 && ofIpv6 === 0) return keyOf;
  return (request) => {
    const key = keyOf(request);
    const bytes = parseAddress(key ?? "");
    if (bytes === null) return key;
    const bits = bytes.length === 4 ? ofIpv4 : ofIpv6;
    return bits === 0 || bits > 8 * bytes.length ? key : networkOf(bytes, bits).join(".");
  };
}

const PLACEHOLDERS: Readonly<Record<string, Source>> = {
  remote_host: ({ address }) => address,
  "http.request.remote.host": ({ address }) => address,
  client_ip: ({ address }) => address,
  "http.vars.client_ip": ({ address }) => address,
  "http.request.client_ip": ({ address }) => address,
  method: ({ method }) => method,
  "http.request.method": ({ method }) => method,
  uri: ({ target }) => target,
  "http.request.uri": ({ target }) => target,
  path: (request) => pathOf(request),
  "http.request.uri.path": (request) => pathOf(request),
};

/** Caddy puts nothing in the place of a placeholder that it does not know. */
function keySource(key: string, directive: CaddyDirective, world: ZoneWorld): Source {
  const parts = key.split(/\{([\w.-]+)\}/).map((part, index): string | Source => {
    if (index % 2 === 0) return part;
    const known = PLACEHOLDERS[part];
    if (known !== undefined) return known;
    if (/^(?:http\.request\.)?host(?:port)?$/.test(part)) return world.hostOf;
    const [, kind, name = ""] =
      /^(?:http\.request\.)?(header|cookie|(?:uri\.)?query)\.(.+)$/.exec(part) ?? [];
    if (kind === "header") return headerSource(name, world);
    if (kind === "cookie") return cookieSource(name, world);
    if (kind !== undefined) return (request) => parametersOf(request).get(name);
    return world.takeSource(part, directive);
  });
  return (request) =>
    parts.map((part) => (typeof part === "string" ? part : (part(request) ?? ""))).join("");
}

function headerSource(name: string, { headers }: MatcherWorld): Source {
  headers.add(name.toLowerCase());
  return (request) => request.header(name.toLowerCase());
}

function cookieSource(name: string, { headers }: MatcherWorld): Source {
  headers.add("cookie");
  return (request: RequestFacts) =>
    (request.header("cookie") ?? "")
      .split(/;\s*/)
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? null;
}
