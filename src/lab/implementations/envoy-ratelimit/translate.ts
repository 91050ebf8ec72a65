// Envoy's ratelimit service: each limit is a descriptor of one domain, and Envoy sends the descriptors of a request to
// the service before it forwards the request.
import {
  actionsOf,
  clientOf,
  clusterOf,
  descriptorOf,
  envoyConfig,
  HTTP,
} from "../envoy-config.ts";
import { requirePlain, requireWhole } from "../matching.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";
import type { JsonMap } from "../../../kit/reading/shape.ts";

const NAME = "the ratelimit service";
const DOMAIN = "weir";
const LARGEST = 4_294_967_295;

/** The units of time that the service has, by their length in microseconds. */
const UNIT_OF: ReadonlyMap<number, string> = new Map([
  [1_000_000, "second"],
  [60_000_000, "minute"],
  [3_600_000_000, "hour"],
  [86_400_000_000, "day"],
]);

export function translate(world: WantedWorld, site: Site): Translation {
  const { limits } = world;
  const [first, ...rest] = [
    ...requireWhole(NAME, limits),
    ...requirePlain(NAME, limits),
    ...limits
      .filter(({ perUs }) => !UNIT_OF.has(perUs))
      .map((limit) => `${NAME} counts by the second, minute, hour or day: ${describeLimit(limit)}`),
    ...limits
      .filter(({ rate }) => rate > LARGEST)
      .map((limit) => `${NAME} counts up to ${LARGEST}: ${describeLimit(limit)}`),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  return {
    files: {
      "envoy.json": JSON.stringify(envoyOf(world, site), null, 1),
      // Written as JSON, which is valid YAML.
      "runtime/weir/config/limits.yaml": JSON.stringify(
        { domain: DOMAIN, descriptors: limits.map(ruleOf) },
        null,
        1,
      ),
    },
    env: environmentOf(site),
    enforces: limits.map(({ id }) => id),
  };
}

function ruleOf(limit: WantedLimit, index: number): JsonMap {
  const [client] = clientOf(limit).entries;
  const rate_limit = { unit: UNIT_OF.get(limit.perUs)!, requests_per_unit: limit.rate };
  const rule = { key: "header_match", value: descriptorOf(index) };
  return client === undefined
    ? { ...rule, rate_limit }
    : { ...rule, descriptors: [{ ...client, rate_limit }] };
}

const environmentOf = ({
  spare: [http, grpc, debug],
  dir,
  redis,
  variant,
}: Site): Readonly<Record<string, string>> => ({
  HOST: "127.0.0.1",
  PORT: `${http}`,
  GRPC_HOST: "127.0.0.1",
  GRPC_PORT: `${grpc}`,
  DEBUG_HOST: "127.0.0.1",
  DEBUG_PORT: `${debug}`,
  RUNTIME_ROOT: `${dir}/runtime`,
  RUNTIME_SUBDIRECTORY: "weir",
  RUNTIME_WATCH_ROOT: "false",
  HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED: "true", // an empty configuration would admit everything
  LOG_LEVEL: "error",
  USE_STATSD: "false",
  STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: `${variant === "stop-over-limit"}`,
  REDIS_SOCKET_TYPE: "tcp",
  REDIS_URL: `${redis!.host}:${redis!.port}`,
});

function envoyOf(world: WantedWorld, site: Site): JsonMap {
  const [http, grpc] = site.spare;
  const host = "127.0.0.1";
  return envoyConfig(site, {
    filters: [
      {
        name: "envoy.filters.http.ratelimit",
        typed_config: {
          "@type": `${HTTP}.ratelimit.v3.RateLimit`,
          domain: DOMAIN,
          timeout: "2s",
          failure_mode_deny: true,
          enable_x_ratelimit_headers: "DRAFT_VERSION_03",
          rate_limit_service: {
            grpc_service: { envoy_grpc: { cluster_name: "service" } },
            transport_api_version: "V3",
          },
        },
      },
    ],
    rateLimits: world.limits.flatMap((limit, index) => actionsOf(limit, index, world)),
    // Responds once the service is ready.
    ready: { route: { cluster: "health", prefix_rewrite: "/healthcheck" } },
    clusters: [
      clusterOf("health", { host, port: http }),
      {
        ...clusterOf("service", { host, port: grpc }),
        typed_extension_protocol_options: {
          "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
            "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
            explicit_http_config: { http2_protocol_options: {} },
          },
        },
      },
    ],
  });
}
