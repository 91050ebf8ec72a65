// The reader of Envoy against Envoy itself: configurations of its own language, request by request.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { homeOf, whyNotRunnable } from "#src/lab/implementations/home.node.ts";
import { freePorts } from "#src/lab/implementations/ports.node.ts";
import { startProgram, type Program } from "#src/lab/implementations/process.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { play, type Sent } from "../read-and-play.ts";
import { bucket, limitOf, LOCAL, read } from "./listener.ts";

const TYPE = "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit";
const MANAGER =
  "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
const ROUTER = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";

/** An hour to fill a bucket, so that nothing is filled while the test runs. */
const slow = (size: number, fill = size): JsonMap => bucket(size, fill, "3600s");
const local = (rest: JsonMap): JsonMap => ({ "@type": TYPE, ...limitOf(rest) });
const filter = (rest: JsonMap, name = LOCAL): JsonMap => ({ name, typed_config: local(rest) });
const NONE: JsonMap = { name: LOCAL, typed_config: { "@type": TYPE, stat_prefix: "none" } };
const at = (config: JsonMap): JsonMap => ({ typed_per_filter_config: { [LOCAL]: config } });
const ofSize = (size: number): JsonMap => at(local({ token_bucket: slow(size) }));

/** Routes need a cluster for limits of their own; no request reaches it, so that 503 is admitted. */
const route = (match: JsonMap, rest: JsonMap = {}, action: JsonMap = {}): JsonMap => ({
  match,
  route: { cluster: "app", ...action },
  ...rest,
});

const ALL = route({ prefix: "/" });
const entry = (key: string, value?: string): JsonMap =>
  value === undefined ? { key } : { key, value };
const limitBy = (...actions: readonly JsonMap[]): JsonMap => ({ actions });
const header = (name: string, key: string, rest: JsonMap = {}): JsonMap => ({
  request_headers: { header_name: name, descriptor_key: key, ...rest },
});
const generic = (value: string): JsonMap => ({ generic_key: { descriptor_value: value } });
const descriptor = (size: number, ...entries: readonly JsonMap[]): JsonMap => ({
  entries,
  token_bucket: slow(size),
});
const matching = (headers: readonly JsonMap[], rest: JsonMap = {}): JsonMap => ({
  header_value_match: { descriptor_value: "m", headers, ...rest },
});

interface Case {
  readonly filters?: readonly JsonMap[];
  readonly host?: JsonMap;
  readonly routes?: readonly JsonMap[];
  readonly hosts?: readonly JsonMap[];
}

const hostOf = (domains: readonly string[], rest: JsonMap): JsonMap => ({
  name: domains.join(),
  domains,
  routes: [ALL],
  ...rest,
});

/** A limit of 1 for requests that a matcher of headers has. */
const byMatch = (headers: readonly JsonMap[], rest: JsonMap = {}): Case => ({
  filters: [filter({ descriptors: [descriptor(1, entry("header_match", "m"))] })],
  host: { rate_limits: [limitBy(matching(headers, rest))] },
});

const TWO = {
  descriptors: [descriptor(3, entry("key")), descriptor(2, entry("remote_address"))],
  rate_limits: [limitBy(header("x-key", "key")), limitBy({ remote_address: {} })],
};

const hostAndRoute = (action: JsonMap, rest: JsonMap): Case => ({
  filters: [
    filter({
      descriptors: [
        descriptor(1, entry("generic_key", "host")),
        descriptor(2, entry("generic_key", "route")),
      ],
      ...rest,
    }),
  ],
  host: { rate_limits: [limitBy(generic("host"))] },
  routes: [route({ prefix: "/a" }, {}, action), ALL],
});

const CASES: Readonly<Record<string, Case>> = {
  all: { filters: [filter({ token_bucket: slow(3) })] },
  "two filters": {
    filters: [filter({ token_bucket: slow(5) }), filter({ token_bucket: slow(3) }, `${LOCAL}.b`)],
  },
  "not enforced": {
    filters: [
      filter({ token_bucket: slow(1), filter_enforced: { default_value: { numerator: 0 } } }),
    ],
  },
  "route, host and filter": {
    filters: [filter({ token_bucket: slow(2) })],
    hosts: [
      hostOf(["site.example"], { routes: [route({ prefix: "/a" }, ofSize(1)), ALL], ...ofSize(3) }),
      hostOf(["*"], {}),
    ],
  },
  "disabled at a route": {
    filters: [filter({ token_bucket: slow(2) })],
    routes: [
      route(
        { prefix: "/a" },
        at({ "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", disabled: true }),
      ),
      ALL,
    ],
  },
  "equal limits of two routes": {
    filters: [NONE],
    routes: [route({ prefix: "/a" }, ofSize(1)), route({ prefix: "/" }, ofSize(1))],
  },
  domains: {
    filters: [NONE],
    hosts: [
      hostOf(["*"], ofSize(4)),
      hostOf(["*.example"], ofSize(1)),
      hostOf(["api.*"], ofSize(2)),
      hostOf(["site.example"], ofSize(3)),
    ],
  },
  "slowest descriptor first": { filters: [filter({ token_bucket: slow(4), ...TWO })] },
  "bucket of all for others": {
    filters: [
      filter({ token_bucket: slow(4), always_consume_default_token_bucket: false, ...TWO }),
    ],
  },
  "two entries": {
    filters: [
      filter({
        descriptors: [descriptor(1, entry("generic_key", "g"), entry("key"))],
        rate_limits: [limitBy(generic("g"), header("x-key", "key"))],
      }),
    ],
  },
  "entry in the other order": {
    filters: [
      filter({
        descriptors: [descriptor(1, entry("key"), entry("generic_key", "g"))],
        rate_limits: [limitBy(generic("g"), header("x-key", "key"))],
      }),
    ],
  },
  "skipped entry": {
    filters: [
      filter({
        descriptors: [
          descriptor(2, entry("generic_key", "g")),
          descriptor(1, entry("generic_key", "g"), entry("key")),
        ],
        rate_limits: [limitBy(generic("g"), header("x-key", "key", { skip_if_absent: true }))],
      }),
    ],
  },
  "host's limits": hostAndRoute({}, {}),
  "route's limits": hostAndRoute({ rate_limits: [limitBy(generic("route"))] }, {}),
  included: hostAndRoute(
    { rate_limits: [limitBy(generic("route"))] },
    { vh_rate_limits: "INCLUDE" },
  ),
  "included by the route": hostAndRoute(
    { rate_limits: [limitBy(generic("route"))], include_vh_rate_limits: true },
    {},
  ),
  ignored: hostAndRoute({}, { vh_rate_limits: "IGNORE" }),
  "destination cluster": {
    filters: [filter({ descriptors: [descriptor(1, entry("destination_cluster", "app"))] })],
    host: { rate_limits: [limitBy({ destination_cluster: {} })] },
  },
  network: {
    filters: [
      filter({
        descriptors: [descriptor(2, entry("masked_remote_address", "127.0.0.0/24"))],
        rate_limits: [limitBy({ masked_remote_address: { v4_prefix_mask_len: 24 } })],
      }),
    ],
  },
  "exact header": byMatch([{ name: "x-key", string_match: { exact: "k" } }]),
  "inverted header": byMatch([{ name: "x-key", string_match: { exact: "k" }, invert_match: true }]),
  "inverted header, empty if missing": byMatch([
    {
      name: "x-key",
      string_match: { exact: "k" },
      invert_match: true,
      treat_missing_header_as_empty: true,
    },
  ]),
  "present header": byMatch([{ name: "x-key", present_match: true }]),
  "missing header": byMatch([{ name: "x-key", present_match: true, invert_match: true }]),
  "path with its query": byMatch([{ name: ":path", string_match: { suffix: "x=1" } }]),
  "method, not expected": byMatch([{ name: ":method", string_match: { exact: "GET" } }], {
    expect_match: false,
  }),
  "regular expression, both": byMatch([
    { name: ":path", string_match: { safe_regex: { regex: "/[ab].*" } } },
    { name: "x-key", string_match: { prefix: "K", ignore_case: true } },
  ]),
  "routes by path": {
    filters: [NONE],
    routes: [
      route({ path_separated_prefix: "/a" }, ofSize(1)),
      route({ safe_regex: { regex: "/b[0-9]?" } }, ofSize(1)),
      route({ path: "/LOGIN", case_sensitive: false }, ofSize(1)),
      route(
        { prefix: "/", query_parameters: [{ name: "q", string_match: { exact: "1" } }] },
        ofSize(1),
      ),
      route({ prefix: "/", headers: [{ name: "x-key", present_match: true }] }, ofSize(2)),
      ALL,
    ],
  },
};

const key = (value: string): Sent => ({ headers: { "x-key": value } });

const REQUESTS: readonly Sent[] = [
  {},
  { path: "/a", ...key("k") },
  { path: "/b?x=1", ...key("k") },
  { path: "/ab" },
  { path: "/a/b?x=1", ...key("other") },
  { path: "/login" },
  { method: "PUT", path: "/b" },
  { path: "/?q=1" },
  { host: "api.test" },
  { host: "api.example", ...key("K") },
  { host: "site.example:80" },
  { path: "/a" },
  { path: "/b7" },
  { method: "PUT", ...key("k") },
  { path: "/?q=1" },
  { path: "/login" },
  ...Array.from({ length: 4 }, (): Sent => ({})),
  key("k"),
  { host: "api.test" },
  { host: "other.test" },
].map((each: Sent) => ({ ip: "127.0.0.1", host: "site.example", ...each }));

const dir = mkdtempSync(join(tmpdir(), "weir-envoy-"));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const envoy = requireValue(await findImplementation("envoy"));
const obstacle = whyNotRunnable(envoy);
let program: Program | null = null;
let ports: readonly number[] = [];
let text = "";

const listenerOf = (
  name: string,
  { filters = [], host = {}, routes = [ALL], hosts }: Case,
  port: number,
): JsonMap => ({
  name,
  address: { socket_address: { address: "127.0.0.1", port_value: port } },
  filter_chains: [
    {
      filters: [
        {
          name: "envoy.filters.network.http_connection_manager",
          typed_config: {
            "@type": MANAGER,
            stat_prefix: name,
            use_remote_address: true,
            http_filters: [
              ...filters,
              { name: "envoy.filters.http.router", typed_config: { "@type": ROUTER } },
            ],
            route_config: {
              virtual_hosts: hosts ?? [hostOf(["*"], { routes, ...host })],
            },
          },
        },
      ],
    },
  ],
});

/** The status of the response; 429 is a refusal. */
const statusOf = (
  port: number,
  { path = "/", method = "GET", host, headers }: Sent,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = { host: host!, ...headers };
    httpRequest({ port, path, method, headers: sent, agent, host: "127.0.0.1" }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode!));
    })
      .on("error", reject)
      .end();
  });

beforeAll(async () => {
  if (obstacle !== null) return;
  ports = await freePorts(Object.keys(CASES).length + 1);
  const ready = ports.at(-1)!;
  const listeners = Object.entries({ ...CASES, ready: {} }).map(([name, parts], index) =>
    listenerOf(name, parts, ports[index]!),
  );
  const clusters = [{ name: "app", type: "STATIC", connect_timeout: "1s" }];
  text = JSON.stringify({ static_resources: { listeners, clusters } }, null, 1);
  writeFileSync(join(dir, "envoy.json"), text);
  const command = [
    `${homeOf(envoy)}/site/envoy/_bin/envoy`,
    "-c",
    "envoy.json",
    "--concurrency",
    "1",
    "--disable-hot-restart",
    "-l",
    "error",
  ];
  program = startProgram({ name: "envoy", command, dir, ownsDir: true, env: {} });
  const failed = program.exited.then((why) => {
    throw new Error(why);
  });
  for (let tries = 0; ; tries++) {
    const status = await Promise.race([failed, statusOf(ready, { host: "x" }).catch(() => 0)]);
    if (status !== 0) return;
    if (tries === 200) throw new Error("Envoy does not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}, 30_000);

afterAll(async () => {
  agent.destroy();
  await program?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test.for(Object.keys(CASES).map((name, index) => [name, index] as const))(
  "%s",
  async ([name, index], context) => {
    context.skip(obstacle !== null, obstacle ?? "");
    let real = "";
    for (const request of REQUESTS)
      real += (await statusOf(ports[index]!, request)) === 429 ? "-" : "+";
    expect(play(read(text, { values: { stat_prefix: name } }), REQUESTS)).toBe(real);
  },
);
