// Envoy: each limit is a filter of its own. Actions build a descriptor for the requests that the limit counts, and each
// value of the key has a token bucket.
import { ANY_METHOD, placesOf, requirePlain, requireWhole, type PlaceMatch } from "../matching.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";
import type { Json, JsonMap } from "../../reading/shape.ts";

const LEAST_FILL_US = 50_000;
const SECOND_US = 1_000_000;

const HTTP = "type.googleapis.com/envoy.extensions.filters.http";
const NETWORK = "type.googleapis.com/envoy.extensions.filters.network";

export function translate({ limits }: WantedWorld, site: Site): Translation {
  const [first, ...rest] = [
    ...requireWhole("Envoy", limits),
    ...requirePlain("Envoy", limits),
    ...limits
      .filter(({ perUs }) => perUs < LEAST_FILL_US)
      .map((limit) => `Envoy fills a bucket each 50ms at most: ${describeLimit(limit)}`),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  return {
    files: { "envoy.json": JSON.stringify(configOf(limits, site), null, 1) },
    enforces: limits.map(({ id }) => id),
  };
}

const configOf = (
  limits: readonly WantedLimit[],
  { port, upstream, generation }: Site,
): JsonMap => ({
  static_resources: {
    listeners: [
      {
        name: "clients",
        address: addressOf("127.0.0.1", port),
        enable_reuse_port: false,
        filter_chains: [
          {
            filters: [
              {
                name: "envoy.filters.network.http_connection_manager",
                typed_config: {
                  "@type": `${NETWORK}.http_connection_manager.v3.HttpConnectionManager`,
                  stat_prefix: "clients",
                  use_remote_address: true,
                  http_filters: [
                    ...limits.map(filterOf),
                    {
                      name: "envoy.filters.http.router",
                      typed_config: { "@type": `${HTTP}.router.v3.Router` },
                    },
                  ],
                  route_config: {
                    virtual_hosts: [
                      {
                        name: "all",
                        domains: ["*"],
                        routes: [
                          {
                            match: { path: "/weir-ready" },
                            direct_response: { status: 204 },
                            response_headers_to_add: [
                              { header: { key: "weir-generation", value: `${generation}` } },
                            ],
                          },
                          { match: { prefix: "/" }, route: { cluster: "admitted" } },
                        ],
                      },
                    ],
                  },
                },
              },
            ],
          },
        ],
      },
    ],
    clusters: [
      {
        name: "admitted",
        type: "STATIC",
        connect_timeout: "2s",
        load_assignment: {
          cluster_name: "admitted",
          endpoints: [
            {
              lb_endpoints: [{ endpoint: { address: addressOf(upstream.host, upstream.port) } }],
            },
          ],
        },
      },
    ],
  },
});

const addressOf = (address: string, port: number): JsonMap => ({
  socket_address: { address, port_value: port },
});

function filterOf(limit: WantedLimit, index: number): JsonMap {
  const counted = `limit_${index}`;
  const always = { default_value: { numerator: 100, denominator: "HUNDRED" } };
  return {
    name: `envoy.filters.http.local_ratelimit.${counted}`,
    typed_config: {
      "@type": `${HTTP}.local_ratelimit.v3.LocalRateLimit`,
      stat_prefix: counted,
      // Requests that the limit does not count take from this one; it is never empty.
      token_bucket: {
        max_tokens: 1_000_000_000,
        tokens_per_fill: 1_000_000_000,
        fill_interval: "1s",
      },
      always_consume_default_token_bucket: false,
      filter_enabled: { ...always, runtime_key: `${counted}_enabled` },
      filter_enforced: { ...always, runtime_key: `${counted}_enforced` },
      enable_x_ratelimit_headers: "DRAFT_VERSION_03",
      rate_limits: placesOf(limit)
        .flatMap(splitByMethod)
        .map((matchers) => ({
          actions: [
            { header_value_match: { descriptor_value: counted, headers: matchers } },
            ...keyOf(limit).actions,
          ],
        })),
      descriptors: [
        {
          entries: [{ key: "header_match", value: counted }, ...keyOf(limit).entries],
          token_bucket: {
            max_tokens: limit.burst,
            tokens_per_fill: limit.rate,
            fill_interval: `${limit.perUs / SECOND_US}s`,
          },
        },
      ],
    },
  };
}

const QUERY = "(?:\\x3f.*)?";

const matches = (name: string, regex: string, isInverted = false): JsonMap => ({
  name,
  string_match: { safe_regex: { regex } },
  ...(isInverted ? { invert_match: true } : {}),
});

/** All matchers of a list have to match, so each method that an exception names has a list of its own. */
function splitByMethod({ client, method, path, except }: PlaceMatch): readonly (readonly Json[])[] {
  const methods = [
    ...new Set(except.flatMap((each) => (each.method === null ? [] : [each.method]))),
  ];
  const always = [
    matches(":path", path + QUERY),
    matches(":path", `/weir-ready${QUERY}`, true),
    ...(client === null ? [] : [matches("authorization", client)]),
  ];
  const without = (name: string | null): readonly JsonMap[] =>
    except
      .filter((each) => each.method === null || each.method === name)
      .map((each) => matches(":path", each.path + QUERY, true));
  if (method !== ANY_METHOD) return [[...always, matches(":method", method), ...without(method)]];
  return [
    ...methods.map((name) => [...always, matches(":method", name), ...without(name)]),
    [...always, ...methods.map((name) => matches(":method", name, true)), ...without(null)],
  ];
}

/** The value of the key is part of the descriptor, and an entry without a value has a bucket for each. */
function keyOf({ isForAll, by }: WantedLimit): {
  readonly actions: readonly JsonMap[];
  readonly entries: readonly JsonMap[];
} {
  if (isForAll) return { actions: [], entries: [] };
  return by === "ip"
    ? { actions: [{ remote_address: {} }], entries: [{ key: "remote_address" }] }
    : {
        actions: [{ request_headers: { header_name: "authorization", descriptor_key: "client" } }],
        entries: [{ key: "client" }],
      };
}
