// The roles of the fields of Envoy: no limit is dropped in silence.
import { expect, test } from "vitest";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { openOf, rolesOf } from "../read-and-play.ts";
import { bucket, filter, limitOf, listener, read } from "./listener.ts";

const SAMPLE = `admin: { address: { socket_address: { address: 127.0.0.1, port_value: 9901 } } }
static_resources:
  listeners:
  - name: web
    address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.HttpConnectionManager
          stat_prefix: web
          use_remote_address: true
          http_filters:
          - name: envoy.filters.http.ext_authz
          - name: envoy.filters.http.local_ratelimit
            typed_config:
              stat_prefix: all
              token_bucket: { max_tokens: 100, tokens_per_fill: 50, fill_interval: 1s }
              filter_enabled: { runtime_key: limit_on, default_value: { numerator: 100 } }
              filter_enforced: { default_value: { numerator: 100, denominator: HUNDRED } }
              response_headers_to_add: [{ header: { key: x-limitOf, value: "1" } }]
              local_rate_limit_per_downstream_connection: true
          - name: envoy.filters.http.fault
          - name: envoy.filters.http.router
          route_config:
            virtual_hosts:
            - name: shop
              domains: ["*"]
              rate_limits:
              - actions: [{ request_headers: { header_name: x-key, descriptor_key: key } }]
              routes:
              - match: { prefix: /api, runtime_fraction: { default_value: { numerator: 5 } } }
                route: { cluster: app, timeout: 5s }
                typed_per_filter_config:
                  envoy.filters.http.local_ratelimit:
                    stat_prefix: api
                    token_bucket: { max_tokens: 1000, fill_interval: 1s }
                    filter_enabled: { default_value: { numerator: 100 } }
                    filter_enforced: { default_value: { numerator: 100 } }
                    descriptors:
                    - entries: [{ key: key }]
                      token_bucket: { max_tokens: 3, tokens_per_fill: 3, fill_interval: 60s }
              - match: { prefix: / }
                route: { cluster: app }
  clusters:
  - name: app
    circuit_breakers: { thresholds: [{ max_requests: 100 }] }
    transport_socket: { typed_config: { common_tls_context: { tls_certificates: [{ private_key: { inline_string: hunter2 } }] } } }
overload_manager: { refresh_interval: 1s }
`;

test("each field of a realistic bootstrap has a role", () => {
  expect(rolesOf(read(SAMPLE))).toMatchInlineSnapshot(`
    [
      "1 irrelevant admin:",
      "2 read static_resources:",
      "3 read listeners:",
      "4 irrelevant name: web",
      "5 irrelevant address:",
      "6 read filter_chains:",
      "7 read filters:",
      "8 irrelevant name: envoy.filters.network.http_connection_manager",
      "9 read typed_config:",
      "10 irrelevant @type: type.googleapis.com/envoy.HttpConnectionManager",
      "11 irrelevant stat_prefix: web",
      "12 read use_remote_address: true",
      "13 read http_filters:",
      "14 not understood name: envoy.filters.http.ext_authz: requests that it ends are counted here, although they do not reach the limit",
      "15 read name: envoy.filters.http.local_ratelimit",
      "16 read typed_config:",
      "17 irrelevant stat_prefix: all",
      "18 read token_bucket:",
      "18 read max_tokens: 100",
      "18 read tokens_per_fill: 50",
      "18 read fill_interval: 1s",
      "19 read filter_enabled:",
      "19 read runtime_key: limit_on: the runtime may have another value",
      "19 read default_value:",
      "19 read numerator: 100",
      "20 read filter_enforced:",
      "20 read default_value:",
      "20 read numerator: 100",
      "20 read denominator: HUNDRED",
      "21 irrelevant response_headers_to_add:",
      "22 not understood local_rate_limit_per_downstream_connection: true: this reader does not know it in a local rate limit",
      "23 irrelevant name: envoy.filters.http.fault",
      "24 irrelevant name: envoy.filters.http.router",
      "25 read route_config:",
      "26 read virtual_hosts:",
      "27 irrelevant name: shop",
      "28 read domains: [*]",
      "29 read rate_limits:",
      "30 read actions:",
      "30 read request_headers:",
      "30 read header_name: x-key",
      "30 read descriptor_key: key",
      "31 read routes:",
      "32 read match:",
      "32 read prefix: /api",
      "32 not understood runtime_fraction:: the route is taken to have such requests",
      "33 irrelevant route:",
      "34 read typed_per_filter_config:",
      "35 read envoy.filters.http.local_ratelimit:",
      "36 irrelevant stat_prefix: api",
      "37 read token_bucket:",
      "37 read max_tokens: 1000",
      "37 read fill_interval: 1s",
      "38 read filter_enabled:",
      "38 read default_value:",
      "38 read numerator: 100",
      "39 read filter_enforced:",
      "39 read default_value:",
      "39 read numerator: 100",
      "40 read descriptors:",
      "41 read entries:",
      "41 read key: key",
      "42 read token_bucket:",
      "42 read max_tokens: 3",
      "42 read tokens_per_fill: 3",
      "42 read fill_interval: 60s",
      "43 read match:",
      "43 read prefix: /",
      "44 irrelevant route:",
      "45 irrelevant clusters:",
      "49 not understood overload_manager:: it refuses requests by load, and a log has no load",
    ]
  `);
  expect(read(SAMPLE).rules.map(({ id, line }) => `${line} ${id}`)).toEqual([
    "18 all routes",
    "42 route /api, key",
    "37 route /api",
  ]);
  expect(rolesOf(read(SAMPLE)).join()).not.toContain("hunter2");
});

test.each([
  [{ local_rate_limit_per_downstream_connection: true }, "does not know it in a local rate limit"],
  [{ local_cluster_rate_limit: {} }, "does not know it in a local rate limit"],
  [{ rate_limits: [{ actions: [{ dynamic_metadata: {} }] }] }, "no request has its descriptor"],
  [{ rate_limits: [{ stage: 1, actions: [] }] }, "reads stage 0"],
  [{ rate_limits: [{ limit: {}, actions: [] }] }, "counts each request once"],
])("%j is not dropped in silence", (config: JsonMap, consequence) => {
  const text = listener({ filters: [filter(limitOf({ token_bucket: bucket(1), ...config }))] });
  expect(openOf(read(text))).toEqual([expect.stringContaining(consequence)]);
});

test.each([
  ["envoy.filters.http.ratelimit", "it limits by another service"],
  ["envoy.filters.http.adaptive_concurrency", "it limits requests by load"],
  ["envoy.filters.http.jwt_authn", "requests that it ends are counted here"],
  ["envoy.filters.http.lua", "its program may refuse or change requests"],
  ["our.own", "this reader does not know it"],
])("the filter %s before a limit is not dropped in silence", (name, consequence) => {
  const local = filter(limitOf({ token_bucket: bucket(1) }));
  const open = (filters: readonly JsonMap[]): readonly string[] =>
    openOf(read(listener({ filters })));
  expect(open([filter(null, name), local])).toEqual([expect.stringContaining(consequence)]);
  expect(open([local, filter(null, name)])).toHaveLength(/limit|adaptive/.test(name) ? 1 : 0);
});

test("routes, listeners and limits that are not in the file are named", () => {
  const text = `dynamic_resources: { lds_config: { path: /x } }
static_resources:
  listeners:
  - filter_chains:
    - filters:
      - typed_config: { http_filters: [], rds: { route_config_name: r } }
      - name: envoy.filters.network.local_ratelimit
        typed_config: { token_bucket: { max_tokens: 1, fill_interval: 1s } }
overload_manager: {}
`;
  expect(openOf(read(text))).toEqual([
    expect.stringMatching(/^1 .*may come from another server$/),
    expect.stringMatching(/^6 .*rds:.*come from another server$/),
    expect.stringMatching(/^8 .*token_bucket:.*it limits connections/),
    expect.stringMatching(/^9 .*overload_manager.*by load/),
  ]);
});
