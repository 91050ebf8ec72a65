// Random configurations of Envoy with local rate limits, and requests that meet each of their parts.
import type { Rng } from "../../kit/chance/rng.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import { HTTP } from "../../lab/implementations/envoy-config.ts";
import { ENVOY_READER } from "../../lab/implementations/envoy/read.ts";
import { chance, drawTimes, drawUnderstood, pick } from "./draw-parts.ts";
import type {
  ConfigurationProgram,
  DrawnConfiguration,
  DrawnRequest,
} from "./drawn-configuration.ts";
import {
  ACTIONS,
  bootstrap,
  DECISIONS_OF_LOG,
  DISABLED,
  HOSTS,
  LOCAL,
  LOG_ARGS,
  PLANS,
  READY,
  ROUTE_MATCHES,
  TARGETS,
  type DrawnAction,
} from "./envoy-words.ts";

export const ENVOY_CONFIGURATIONS: ConfigurationProgram = {
  reader: ENVOY_READER,
  draw: (seed) => drawUnderstood(seed, ENVOY_READER, drawEnvoy, true),
  decisions: DECISIONS_OF_LOG,
};

export const ENVOY_MARGIN_US = 2_000;

/** Actions that build one descriptor. */
type Shape = readonly DrawnAction[];

interface Draw {
  readonly random: Rng;
  readonly shapes: readonly Shape[];
}

const drawBucket = (random: Rng): JsonMap => ({
  max_tokens: 1 + random.int(8),
  ...(chance(random, 0.8) ? { tokens_per_fill: 1 + random.int(4) } : {}),
  fill_interval: pick(random, ["0.25s", "0.5s", "1s", "2s", "1.500s"]),
});

const limitsOf = (shapes: readonly Shape[]): readonly JsonMap[] =>
  shapes.map((shape) => ({ actions: shape.map(({ action }) => action) }));

const some = <T>(random: Rng, all: readonly T[]): readonly T[] =>
  all.filter(() => chance(random, 0.6));

function drawDescriptor({ random, shapes }: Draw): JsonMap {
  const entries = pick(random, shapes).map(({ key, values }) => {
    const isWhole = values.length === 1 || chance(random, 0.4);
    return isWhole ? { key, value: pick(random, values) } : { key };
  });
  return { entries, token_bucket: drawBucket(random) };
}

const percent = (numerator: number): JsonMap => ({
  default_value: { numerator, denominator: "HUNDRED" },
});

function drawLimiter(draw: Draw): JsonMap {
  const { random } = draw;
  const descriptors = Array.from({ length: random.int(4) }, () => drawDescriptor(draw));
  const names = descriptors.map(({ entries }) => JSON.stringify(entries));
  const isUsual = chance(random, 0.5);
  return {
    "@type": `${HTTP}.local_ratelimit.v3.LocalRateLimit`,
    stat_prefix: "limit",
    token_bucket: drawBucket(random),
    filter_enabled: percent(chance(random, 0.95) ? 100 : 0),
    filter_enforced: percent(chance(random, 0.9) ? 100 : 0),
    ...(chance(random, 0.5)
      ? { status: { code: pick(random, [403, 423, 429, 200, "Forbidden", "Locked"]) } }
      : {}),
    descriptors: descriptors.filter((_, at) => names.indexOf(names[at]!) === at),
    ...(isUsual ? {} : { always_consume_default_token_bucket: chance(random, 0.3) }),
    ...(chance(random, 0.3) ? { max_dynamic_descriptors: 1 + random.int(3) } : {}),
    ...(chance(random, 0.4) ? { rate_limits: limitsOf(some(random, draw.shapes)) } : {}),
    ...(chance(random, 0.2)
      ? { vh_rate_limits: pick(random, ["OVERRIDE", "INCLUDE", "IGNORE"]) }
      : {}),
  };
}

/** Configurations of filters in place of their own. */
function drawPlaces(draw: Draw, filters: readonly string[], share: number): JsonMap {
  const { random } = draw;
  const places = filters
    .filter(() => chance(random, share))
    .map((name) => [name, chance(random, 0.2) ? DISABLED : drawLimiter(draw)] as const);
  return places.length === 0 ? {} : { typed_per_filter_config: Object.fromEntries(places) };
}

function drawRoute(draw: Draw, filters: readonly string[], match: JsonMap): JsonMap {
  const { random, shapes } = draw;
  const action = chance(random, 0.75)
    ? {
        route: {
          cluster: pick(random, ["app", "other"]),
          ...(chance(random, 0.5) ? { rate_limits: limitsOf(some(random, shapes)) } : {}),
          ...(chance(random, 0.2) ? { include_vh_rate_limits: true } : {}),
        },
      }
    : { direct_response: { status: 204 } };
  return { match, ...action, ...drawPlaces(draw, filters, 0.2) };
}

function drawHost(draw: Draw, filters: readonly string[], domains: readonly string[]): JsonMap {
  const { random, shapes } = draw;
  const matches = [
    ...Array.from({ length: random.int(4) }, () => pick(random, ROUTE_MATCHES)),
    ...(chance(random, 0.85) ? [{ prefix: "/" }] : []),
  ];
  return {
    name: domains.join(),
    domains,
    ...(chance(random, 0.7) ? { rate_limits: limitsOf(some(random, shapes)) } : {}),
    ...drawPlaces(draw, filters, 0.2),
    routes: [
      {
        ...READY,
        typed_per_filter_config: Object.fromEntries(filters.map((name) => [name, DISABLED])),
      },
      ...matches.map((match) => drawRoute(draw, filters, match)),
    ],
  };
}

function drawEnvoy(random: Rng): DrawnConfiguration {
  const shapes = Array.from({ length: 2 + random.int(2) }, () =>
    Array.from({ length: 1 + random.int(2) }, () => pick(random, ACTIONS)),
  );
  const draw = { random, shapes };
  const filters = [LOCAL, ...(chance(random, 0.3) ? [`${LOCAL}.second`] : [])];
  const domains = [
    ["*"],
    ...(chance(random, 0.4)
      ? [pick(random, [["first.test"], ["*.second.test", "first.*"], ["api.second.test:80"]])]
      : []),
  ];
  const manager = {
    ...(chance(random, 0.2) ? { strip_any_host_port: true } : {}),
    http_filters: [
      ...filters.map((name) => ({ name, typed_config: drawLimiter(draw) })),
      {
        name: "envoy.filters.http.router",
        typed_config: { "@type": `${HTTP}.router.v3.Router` },
      },
    ],
    route_config: { virtual_hosts: domains.map((each) => drawHost(draw, filters, each)) },
  };
  const isCamel = chance(random, 0.2);
  return {
    main: "envoy.json",
    marginUs: ENVOY_MARGIN_US,
    requests: drawRequests(random),
    startAt: () => ({ args: LOG_ARGS }),
    filesAt: (site) => {
      const text = JSON.stringify(bootstrap(site, manager), null, 1);
      return { "envoy.json": isCamel ? text.replaceAll(FIELD, camelCase) : text };
    },
  };
}

const FIELD = /^ *"[a-z\d]+(?:_[a-z\d]+)+":/gm;

/** Envoy takes the names of fields in both forms. */
const camelCase = (text: string): string =>
  text.replaceAll(/_([a-z\d])/g, (_, sign: string) => sign.toUpperCase());

export function drawRequests(random: Rng): readonly DrawnRequest[] {
  const kinds = Array.from({ length: 3 + random.int(6) }, () => ({
    address: pick(random, ["127.0.1.1", "127.0.1.2", "127.0.2.1"]),
    method: pick(random, ["GET", "GET", "GET", "HEAD", "POST"]),
    target: pick(random, TARGETS),
    headers: {
      host: pick(random, HOSTS),
      ...(chance(random, 0.6) ? { "x-plan": pick(random, PLANS) } : {}),
      ...(chance(random, 0.2) ? { "x-forwarded-for": pick(random, ["10.0.0.1", "10.0.0.2"]) } : {}),
    },
  }));
  return drawTimes(random).map((atUs) => ({ atUs, ...pick(random, kinds) }));
}
