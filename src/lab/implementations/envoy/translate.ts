// Envoy: each limit is a filter of its own. Actions build descriptors for the requests that the limit counts, and each
// client has a token bucket.
import { blockYaml } from "../block-yaml.ts";
import { actionsOf, clientOf, descriptorOf, envoyConfig, HTTP } from "../envoy-config.ts";
import { limitWords, plainLimits, requirePlain, requireWhole } from "../matching.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";
import type { JsonMap } from "../../../kit/reading/shape.ts";

const LEAST_FILL_US = 50_000;
const SECOND_US = 1_000_000;

export function translate(world: WantedWorld, site: Site): Translation {
  const { limits } = world;
  const [first, ...rest] = [
    ...requireWhole("Envoy", limits),
    ...requirePlain("Envoy", limits),
    ...limits
      .filter(({ perUs }) => perUs < LEAST_FILL_US)
      .map((limit) => `Envoy fills a bucket each 50ms at most: ${describeLimit(limit)}`),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  const config = envoyConfig(site, {
    filters: limits.map((limit, index) => filterOf(limit, index, world)),
    ready: { direct_response: { status: 204 } },
  });
  const plain = plainLimits(world);
  return {
    files: { "envoy.json": JSON.stringify(config, null, 1) },
    ...(plain.length === 0 ? {} : { excerpt: { "filter.yaml": excerptOf(plain) } }),
    enforces: limits.map(({ id }) => id),
  };
}

function filterOf(limit: WantedLimit, index: number, world: WantedWorld): JsonMap {
  const counted = descriptorOf(index);
  return filterWith(index, {
    // Requests that the limit does not count use this bucket, which never runs empty.
    token_bucket: {
      max_tokens: 1_000_000_000,
      tokens_per_fill: 1_000_000_000,
      fill_interval: "1s",
    },
    always_consume_default_token_bucket: false,
    rate_limits: actionsOf(limit, index, world),
    descriptors: [
      {
        entries: [{ key: "header_match", value: counted }, ...clientOf(limit).entries],
        token_bucket: bucketOf(limit),
      },
    ],
  });
}

/** The limit counts every request, so a request without a descriptor has a bucket of this size too. */
function excerptOf(limits: readonly WantedLimit[]): string {
  const words = limits.map((limit) => `# ${limitWords(limit)}, ${limit.burst} at once.`);
  const isForAll = limits.every((limit) => limit.isForAll);
  const order =
    limits.length === 1
      ? ""
      : " A request that a later filter refuses has spent of the earlier ones.";
  return `${words.join("\n")} Each Envoy counts alone.${order}
${isForAll ? "" : "# It keeps the buckets of 20 clients unless max_dynamic_descriptors is higher.\n"}
# In http_filters of the HttpConnectionManager, before the router.${isForAll ? "" : " It needs use_remote_address: true."}
${blockYaml(limits.map(plainFilter))}`;
}

function plainFilter(limit: WantedLimit, index: number): JsonMap {
  const { actions, entries } = clientOf(limit);
  const ofClients = {
    always_consume_default_token_bucket: false,
    rate_limits: [{ actions }],
    descriptors: [{ entries, token_bucket: bucketOf(limit) }],
  };
  return filterWith(index, {
    token_bucket: bucketOf(limit),
    ...(limit.isForAll ? {} : ofClients),
  });
}

const bucketOf = ({ rate, perUs, burst }: WantedLimit): JsonMap => ({
  max_tokens: burst,
  tokens_per_fill: rate,
  fill_interval: `${perUs / SECOND_US}s`,
});

function filterWith(index: number, limits: JsonMap): JsonMap {
  const counted = descriptorOf(index);
  const always = { default_value: { numerator: 100, denominator: "HUNDRED" } };
  return {
    name: `envoy.filters.http.local_ratelimit.${counted}`,
    typed_config: {
      "@type": `${HTTP}.local_ratelimit.v3.LocalRateLimit`,
      stat_prefix: counted,
      filter_enabled: { ...always, runtime_key: `${counted}_enabled` },
      filter_enforced: { ...always, runtime_key: `${counted}_enforced` },
      enable_x_ratelimit_headers: "DRAFT_VERSION_03",
      ...limits,
    },
  };
}
