// Random configurations of Envoy's ratelimit service, with an Envoy that sends their descriptors.
import type { Rng } from "../../kit/chance/rng.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import { ENVOY_RATELIMIT_READER } from "../../lab/implementations/envoy-ratelimit/read.ts";
import { translate } from "../../lab/implementations/envoy-ratelimit/translate.ts";
import type { Configured, Site } from "../../lab/implementations/translation.ts";
import { drawRequests } from "./draw-envoy.ts";
import { chance, drawUnderstood, pick } from "./draw-parts.ts";
import type {
  ConfigurationProgram,
  DrawnConfiguration,
  DrawnRequest,
} from "./drawn-configuration.ts";
import { accessLog, DECISIONS_OF_LOG, HOSTS, PLANS, TARGETS } from "./envoy-words.ts";

export const ENVOY_RATELIMIT_CONFIGURATIONS: ConfigurationProgram = {
  reader: ENVOY_RATELIMIT_READER,
  draw: (seed) => drawUnderstood(seed, ENVOY_RATELIMIT_READER, drawService),
  decisions: DECISIONS_OF_LOG,
};

const MARGIN_US = 2_000;
const APART_US = 45_000;
const LIMITS = "runtime/weir/config/limits.yaml";
const STOP = "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT";

/** A key of descriptors, with the action of Envoy that has it. */
interface DrawnKey {
  readonly key: string;
  readonly action: JsonMap;
  readonly values: readonly string[];
  readonly isFixed?: true; // each entry has this value
}

const headerKey = (key: string, name: string, values: readonly string[]): DrawnKey => ({
  key,
  values,
  action: { request_headers: { header_name: name, descriptor_key: key } },
});

const createFixedKey = (key: string, value: string, action: JsonMap): DrawnKey => ({
  key,
  values: [value],
  action,
  isFixed: true,
});

const onPath = (value: string, prefix: string): DrawnKey =>
  createFixedKey("header_match", value, {
    header_value_match: {
      descriptor_value: value,
      headers: [{ name: ":path", string_match: { prefix } }],
    },
  });

const KEYS: readonly DrawnKey[] = [
  { key: "remote_address", action: { remote_address: {} }, values: ["127.0.1.1", "127.0.1*"] },
  headerKey("method", ":method", ["GET", "POST"]),
  headerKey("path", ":path", [...TARGETS, "/api*", "/*", "/log*"]),
  headerKey("host", ":authority", [...HOSTS, "api*"]),
  headerKey("x-plan", "x-plan", [...PLANS, "g*", "f*"]),
  headerKey("plan", "x-plan", [...PLANS, "g*"]),
  createFixedKey("generic_key", "all", { generic_key: { descriptor_value: "all" } }),
  createFixedKey("generic_key", "rest", { generic_key: { descriptor_value: "rest" } }),
  onPath("api", "/api"),
  onPath("login", "/login"),
];

const VALUES = {
  plan: "header:x-plan",
  generic_key_all: "all",
  generic_key_rest: "all",
  header_match_api: "path:/api",
  header_match_login: "path:/login",
};

interface DrawnDescriptor {
  readonly of: DrawnKey;
  readonly written: JsonMap;
  readonly children: readonly DrawnDescriptor[];
}

const NAMES: readonly JsonMap[] = [
  {},
  {},
  { name: "first" },
  { name: "second" },
  { name: "second", replaces: [{ name: "first" }] },
  { replaces: [{ name: "second" }] },
];

function drawLimit(random: Rng): JsonMap {
  if (chance(random, 0.1)) return { unlimited: true };
  return {
    unit: pick(random, ["second", "second", "SECOND", "minute"]),
    requests_per_unit: chance(random, 0.05) ? 0 : 1 + random.int(8),
    ...pick(random, NAMES),
  };
}

function drawList(random: Rng, depth: number): readonly DrawnDescriptor[] {
  const all = Array.from({ length: 1 + random.int(depth === 0 ? 4 : 2) }, () =>
    drawDescriptor(random, depth),
  );
  const names = all.map(({ written: { key, value } }) => JSON.stringify([key, value]));
  return all.filter((_, at) => names.indexOf(names[at]!) === at); // the service rejects two of one name
}

function drawDescriptor(random: Rng, depth: number): DrawnDescriptor {
  const of = pick(random, KEYS);
  const value = of.isFixed || chance(random, 0.5) ? pick(random, of.values) : null;
  const children = depth < 2 && chance(random, 0.35) ? drawList(random, depth + 1) : [];
  return {
    of,
    children,
    written: {
      key: of.key,
      ...(value === null ? {} : { value }),
      ...(children.length === 0 || chance(random, 0.5) ? { rate_limit: drawLimit(random) } : {}),
      ...(chance(random, 0.1) ? { shadow_mode: true } : {}),
      ...(value?.endsWith("*") && chance(random, 0.5) ? { share_threshold: true } : {}),
      ...(children.length === 0 ? {} : { descriptors: children.map(({ written }) => written) }),
    },
  };
}

/** The lists of actions that build the descriptors which the service may know. */
const actionsOf = (
  list: readonly DrawnDescriptor[],
  above: readonly JsonMap[],
): readonly (readonly JsonMap[])[] =>
  list.flatMap(({ of, children }) => {
    const own = [...above, of.action];
    return [own, ...actionsOf(children, own)];
  });

/** The service looks at all counters before it increases them, and requests at once look at the same time. */
const apart = (requests: readonly DrawnRequest[]): readonly DrawnRequest[] =>
  requests.map((each, index) => ({ ...each, atUs: APART_US * index }));

function configure(site: Site, isStopping: boolean): Configured {
  const variant = isStopping ? "stop-over-limit" : "all-descriptors";
  const translation = translate({ apis: [], credentials: [], limits: [] }, { ...site, variant });
  if (isFailure(translation) || "cannot" in translation) throw new Error("no configuration");
  return translation;
}

/** Without upstream. Requests that wait until the service is ready have no descriptors. */
function envoyFile(site: Site, isStopping: boolean, rateLimits: readonly JsonMap[]): string {
  const text = configure(site, isStopping).files["envoy.json"]!;
  const disabled = {
    "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig",
    disabled: true,
  };
  const config = JSON.parse(text, (name, value: unknown) => {
    if (name === "rate_limits") return rateLimits;
    if (name === "typed_config" && "route_config" in (value as JsonMap))
      return { ...(value as JsonMap), access_log: accessLog(site.dir) };
    if (name !== "routes") return value;
    const [ready] = value as [JsonMap];
    return [
      { ...ready, typed_per_filter_config: { "envoy.filters.http.ratelimit": disabled } },
      { ...ready, match: { prefix: "/" } },
    ];
  }) as unknown;
  return JSON.stringify(config, null, 1);
}

function drawService(random: Rng): DrawnConfiguration {
  const list = drawList(random, 0);
  const isStopping = chance(random, 0.5);
  const lists = new Set(actionsOf(list, []).map((actions) => JSON.stringify({ actions })));
  const rateLimits = [...lists].map((text) => JSON.parse(text) as JsonMap);
  const limits = { domain: "weir", descriptors: list.map(({ written }) => written) };
  return {
    main: LIMITS,
    marginUs: MARGIN_US,
    requests: isStopping ? apart(drawRequests(random)) : drawRequests(random),
    values: new Map(Object.entries({ ...VALUES, [STOP]: `${isStopping}` })),
    startAt: (site) => ({ env: configure(site, isStopping).env! }),
    filesAt: (site) => ({
      [LIMITS]: JSON.stringify(limits, null, 1),
      "envoy.json": envoyFile(site, isStopping, rateLimits),
    }),
  };
}
