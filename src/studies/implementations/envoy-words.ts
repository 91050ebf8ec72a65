// What random configurations of Envoy, and their requests, are made of.
import type { JsonMap } from "../../kit/reading/shape.ts";
import { clusterOf, HTTP } from "../../lab/implementations/envoy-config.ts";
import type { Configured, Site } from "../../lab/implementations/translation.ts";
import type { DecisionsOfLog } from "./drawn-configuration.ts";

export const LOCAL = "envoy.filters.http.local_ratelimit";

export const HOSTS = ["first.test", "api.second.test", "API.second.test:80"] as const;
export const PLANS = ["free", "gold", "GOLD"] as const;
export const TARGETS = [
  "/",
  "/login",
  "/Login",
  "/login?user=a",
  "/api/users?user=a",
  "/api/users?user=b&x=1",
  "/api",
  "/apis",
  "/static/x.css",
  "//login",
] as const;

export const ROUTE_MATCHES: readonly JsonMap[] = [
  { prefix: "/api" },
  { prefix: "/API", case_sensitive: false },
  { path: "/login" },
  { path_separated_prefix: "/api" },
  { safe_regex: { regex: "/[a-z]+" } },
  { prefix: "/", headers: [{ name: "x-plan", string_match: { exact: "gold" } }] },
  { prefix: "/", headers: [{ name: ":method", string_match: { exact: "POST" } }] },
  { prefix: "/", query_parameters: [{ name: "user", string_match: { exact: "a" } }] },
  { prefix: "/", query_parameters: [{ name: "x", present_match: true }] },
];

/** An action, with the key of its entry and the values that it may have. */
export interface DrawnAction {
  readonly action: JsonMap;
  readonly key: string;
  readonly values: readonly string[]; // one: the entry always has it
}

const headerMatch = (
  value: string,
  headers: readonly JsonMap[],
  rest: JsonMap = {},
): DrawnAction => ({
  action: { header_value_match: { descriptor_value: value, headers, ...rest } },
  key: "header_match",
  values: [value],
});

export const ACTIONS: readonly DrawnAction[] = [
  {
    action: { remote_address: {} },
    key: "remote_address",
    values: ["127.0.1.1", "127.0.1.2"],
  },
  {
    action: { masked_remote_address: { v4_prefix_mask_len: 24 } },
    key: "masked_remote_address",
    values: ["127.0.1.0/24", "127.0.2.0/24"],
  },
  {
    action: { request_headers: { header_name: "x-plan", descriptor_key: "plan" } },
    key: "plan",
    values: PLANS,
  },
  {
    action: {
      request_headers: { header_name: "x-plan", descriptor_key: "plan", skip_if_absent: true },
    },
    key: "plan",
    values: PLANS,
  },
  {
    action: { request_headers: { header_name: "x-forwarded-for", descriptor_key: "forwarded" } },
    key: "forwarded",
    values: ["10.0.0.1", "127.0.1.1"],
  },
  {
    action: { request_headers: { header_name: ":path", descriptor_key: "path" } },
    key: "path",
    values: TARGETS,
  },
  {
    action: { request_headers: { header_name: ":method", descriptor_key: "method" } },
    key: "method",
    values: ["GET", "POST"],
  },
  {
    action: { request_headers: { header_name: ":authority", descriptor_key: "host" } },
    key: "host",
    values: HOSTS,
  },
  { action: { generic_key: { descriptor_value: "all" } }, key: "generic_key", values: ["all"] },
  {
    action: { generic_key: { descriptor_value: "one", descriptor_key: "own" } },
    key: "own",
    values: ["one"],
  },
  {
    action: { query_parameters: { query_parameter_name: "user", descriptor_key: "user" } },
    key: "user",
    values: ["a", "b"],
  },
  {
    action: {
      query_parameter_value_match: {
        descriptor_value: "of a",
        query_parameters: [{ name: "user", string_match: { exact: "a" } }],
      },
    },
    key: "query_match",
    values: ["of a"],
  },
  { action: { destination_cluster: {} }, key: "destination_cluster", values: ["app", "other"] },
  headerMatch("gold", [{ name: "x-plan", string_match: { exact: "gold", ignore_case: true } }]),
  headerMatch("others", [{ name: "x-plan", string_match: { exact: "gold" } }], {
    expect_match: false,
  }),
  headerMatch("api", [{ name: ":path", string_match: { prefix: "/api" } }]),
  headerMatch("no plan", [{ name: "x-plan", present_match: false }]),
  headerMatch("posted", [
    { name: ":method", string_match: { exact: "POST" } },
    { name: "x-plan", string_match: { contains: "o" }, invert_match: true },
  ]),
  headerMatch("words", [{ name: ":path", string_match: { safe_regex: { regex: "/[a-z]+" } } }]),
];

/** A filter at a route that it does not meet. */
export const DISABLED: JsonMap = {
  "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig",
  disabled: true,
};

/** The answer to requests that wait until Envoy is ready; an Envoy of another generation has another header. */
export const READY: JsonMap = {
  match: { path: "/weir-ready" },
  direct_response: { status: 204 },
};

const MANAGER =
  "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

const LOG = "decisions.log";
const ROW = "weir-row";

/** Of the time within Envoy, which is short although a response may be late on a busy machine. */
export const accessLog = (dir: string): readonly JsonMap[] => [
  {
    name: "envoy.access_loggers.file",
    typed_config: {
      "@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog",
      path: `${dir}/${LOG}`,
      log_format: {
        text_format_source: {
          inline_string: `%REQ(${ROW})% %START_TIME(%s.%6f)% %DURATION% %RESPONSE_CODE% %RESPONSE_FLAGS%\n`,
        },
      },
    },
  },
];

export const LOG_ARGS: NonNullable<Configured["args"]> = ["--file-flush-interval-msec", "50"];

export const DECISIONS_OF_LOG: DecisionsOfLog = {
  log: LOG,
  rowHeader: ROW,
  decisionsIn: (log) =>
    log
      .split("\n")
      .filter((line) => /^\d.* \S+$/.test(line))
      .map((line) => {
        const [row, began, lasted, status, flags] = line.split(" ");
        const fromUs = Math.round(Number(began) * 1e6);
        return {
          row: Number(row),
          fromUs,
          toUs: fromUs + 1_000 * (Number(lasted) + 1),
          isAdmitted: flags !== "RL",
          isCounted: null,
          status: Number(status),
        };
      }),
};

/** A listener with the manager, and another one that answers what it forwards. */
export function bootstrap(
  { port, spare, generation, dir }: Site,
  manager: JsonMap,
  names: readonly string[] = ["app", "other"],
): JsonMap {
  const [inner] = spare;
  const clients = { use_remote_address: true, access_log: accessLog(dir), ...manager };
  return {
    static_resources: {
      listeners: [
        listenerOf("clients", port, clients, generation),
        listenerOf("answers", inner, ANSWERS, generation),
      ],
      clusters: names.map((name) => clusterOf(name, { host: "127.0.0.1", port: inner })),
    },
  };
}

const ANSWERS: JsonMap = {
  http_filters: [
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
        routes: [{ match: { prefix: "/" }, direct_response: { status: 200 } }],
      },
    ],
  },
};

const listenerOf = (name: string, port: number, manager: JsonMap, generation: number): JsonMap => ({
  name,
  address: { socket_address: { address: "127.0.0.1", port_value: port } },
  enable_reuse_port: false,
  filter_chains: [
    {
      filters: [
        {
          name: "envoy.filters.network.http_connection_manager",
          typed_config: {
            "@type": MANAGER,
            stat_prefix: name,
            ...manager,
            route_config: {
              ...(manager["route_config"] as JsonMap),
              response_headers_to_add: [
                { header: { key: "weir-generation", value: `${generation}` } },
              ],
            },
          },
        },
      ],
    },
  ],
});
