// Parts of an Envoy configuration: a listener with filters before its upstream, and the actions that build a descriptor
// for the requests that a limit counts.
import { ANY_METHOD, placesOfWorld, placesOf, type PlaceMatch } from "./matching.ts";
import type { Site } from "./translation.ts";
import type { WantedLimit, WantedWorld } from "./wanted.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";

const NETWORK = "type.googleapis.com/envoy.extensions.filters.network";
export const HTTP = "type.googleapis.com/envoy.extensions.filters.http";

interface EnvoyParts {
  readonly filters: readonly JsonMap[];
  /** The response or route for requests to /weir-ready, which no limit counts. */
  readonly ready: JsonMap;
  readonly clusters?: readonly JsonMap[];
  readonly rateLimits?: readonly JsonMap[];
}

export const envoyConfig = (
  { port, upstream, generation }: Site,
  { filters, ready, clusters = [], rateLimits = [] }: EnvoyParts,
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
                    ...filters,
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
                        rate_limits: rateLimits,
                        routes: [
                          {
                            match: { path: "/weir-ready" },
                            ...ready,
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
    clusters: [clusterOf("admitted", upstream), ...clusters],
  },
});

export const clusterOf = (
  name: string,
  { host, port }: { readonly host: string; readonly port: number },
): JsonMap => ({
  name,
  type: "STATIC",
  connect_timeout: "2s",
  load_assignment: {
    cluster_name: name,
    endpoints: [{ lb_endpoints: [{ endpoint: { address: addressOf(host, port) } }] }],
  },
});

const addressOf = (address: string, port: number): JsonMap => ({
  socket_address: { address, port_value: port },
});

/** The value of the first entry, `header_match`, in each descriptor of a limit. */
export const descriptorOf = (index: number): string => `limit_${index}`;

/** The actions of a limit: one for each list of matchers of its places, or of requests outside all places. */
export const actionsOf = (
  limit: WantedLimit,
  index: number,
  world: WantedWorld,
): readonly JsonMap[] =>
  [...placesOf(limit).flatMap(splitByMethod), ...matchersOfOthers(limit, world)]
    .flatMap((matchers) => clientsOf(limit, matchers))
    .map(({ matchers, actions }) => ({
      actions: [
        {
          header_value_match: {
            descriptor_value: descriptorOf(index),
            headers: [...matchers, matches(":path", `/weir-ready${QUERY}`, true)],
          },
        },
        ...actions,
      ],
    }));

const QUERY = "(?:\\x3f.*)?";

const matches = (name: string, regex: string, isInverted = false): JsonMap => ({
  name,
  string_match: { safe_regex: { regex } },
  ...(isInverted ? { invert_match: true } : {}),
});

/** Matchers that all have to match. */
type Matchers = readonly JsonMap[];

/** One list of matchers for each method among the exceptions, and one for all other methods. */
function splitByMethod({ client, method, path, except }: PlaceMatch): readonly Matchers[] {
  const methods = [
    ...new Set(except.flatMap((each) => (each.method === null ? [] : [each.method]))),
  ];
  const always = [
    matches(":path", path + QUERY),
    ...(client === null ? [] : [matches("authorization", client)]),
  ];
  const without = (name: string | null): Matchers =>
    except
      .filter((each) => each.method === null || each.method === name)
      .map((each) => matches(":path", each.path + QUERY, true));
  if (method !== ANY_METHOD) return [[...always, matches(":method", method), ...without(method)]];
  return [
    ...methods.map((name) => [...always, matches(":method", name), ...without(name)]),
    [...always, ...methods.map((name) => matches(":method", name, true)), ...without(null)],
  ];
}

/** Matchers of requests outside all places of the world: many, because Envoy rejects a long regular expression. */
function matchersOfOthers(limit: WantedLimit, world: WantedWorld): readonly Matchers[] {
  const places = placesOfWorld(limit, world);
  if (places === null) return [];
  const isUnknown = world.credentials.map((exact) => ({
    name: "authorization",
    string_match: { exact },
    invert_match: true,
    treat_missing_header_as_empty: true,
  }));
  const byPath = new Map(places.map((place) => [place.path, place]));
  return [
    [...byPath.keys()].map((path) => matches(":path", path + QUERY, true)),
    ...[...byPath.values()].flatMap((place) =>
      place.client === null
        ? []
        : splitByMethod({ ...place, client: null }).map((each) => [...each, ...isUnknown]),
    ),
  ];
}

/** A missing header yields no descriptor, so requests without a credential need a descriptor of their own. */
function clientsOf(
  limit: WantedLimit,
  matchers: Matchers,
): readonly { readonly matchers: Matchers; readonly actions: readonly JsonMap[] }[] {
  const { actions } = clientOf(limit);
  if (limit.isForAll || limit.by === "ip") return [{ matchers, actions }];
  const isMissing = { name: "authorization", present_match: true, invert_match: true };
  const none = { generic_key: { descriptor_key: "client", descriptor_value: "none" } };
  return [
    { matchers, actions },
    { matchers: [...matchers, isMissing], actions: [none] },
  ];
}

interface ClientOfDescriptor {
  readonly actions: readonly JsonMap[];
  readonly entries: readonly { readonly key: string }[];
}

/** Actions and descriptor entries for a limit's client. An entry without a value makes Envoy count each value alone. */
export function clientOf({ isForAll, by }: WantedLimit): ClientOfDescriptor {
  if (isForAll) return { actions: [], entries: [] };
  return by === "ip"
    ? { actions: [{ remote_address: {} }], entries: [{ key: "remote_address" }] }
    : {
        actions: [{ request_headers: { header_name: "authorization", descriptor_key: "client" } }],
        entries: [{ key: "client" }],
      };
}
