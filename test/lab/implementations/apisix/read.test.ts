// The reader of APISIX: sentences of the documentation of limit-count, limit-req and routes, with a case each.
import { expect, test } from "vitest";
import { APISIX_READER } from "#src/lab/implementations/apisix/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, startReading, times, type Sent } from "../read-and-play.ts";

const { read, decisions } = startReading(APISIX_READER);

/** A file whose only route has these plugins. */
const file = (plugins: string, ...rest: readonly string[]): string =>
  `routes:\n- { id: all, uri: /*, upstream_id: 1, plugins: { ${plugins} } }\n${rest.join("\n")}\n#END\n`;

const count = (rest: string): string => `limit-count: { time_window: 60, ${rest} }`;

const to = (...paths: readonly string[]): readonly Sent[] => paths.map((path) => ({ at: 0, path }));

const SAMPLE = `routes:
  - id: items
    uri: /items/*
    service_id: shop
    plugin_config_id: missing
    plugins:
      limit-req:
        rate: 10
        burst: 5
        key: remote_addr
        colour: red
      proxy-rewrite: { uri: /x }
      my-own: {}
      limit-conn: { conn: 1, burst: 0, default_conn_delay: 1, key: remote_addr }
      key-auth: {}
services:
  - id: shop
    plugins:
      limit-count:
        count: 5
        time_window: 60
        policy: redis
        redis_host: redis
        redis_password: hunter2
      ip-restriction: { whitelist: [10.0.0.0/8] }
consumers:
  - username: ann
    plugins: { key-auth: { key: s3cret } }
upstreams:
  - { id: 1, nodes: { "a:80": 1 } }
#END
`;

test("each field of a realistic file that may change a limit is named, and no secret is", () => {
  const configuration = read(SAMPLE);
  expect(openOf(configuration)).toMatchInlineSnapshot(`
    [
      "5 not understood plugin_config_id: missing: it is not in this file; if it limits requests, this limit is missing",
      "11 not understood colour: red: this reader does not know it; if it limits requests, the result is wrong",
      "13 not understood my-own:: this reader does not know it; if it limits or ends requests, the result is wrong",
      "14 not understood limit-conn:: it limits requests, and this reader does not read it",
      "15 question key-auth:: key-auth finds the consumer of a request; header:apikey is taken",
      "25 not understood ip-restriction:: it may answer requests before they are counted, and here they count",
    ]
  `);
  expect(JSON.stringify(configuration.statements)).not.toMatch(/hunter2|s3cret/);
  expect(configuration.rules.map(({ sharesCounters }) => sharesCounters)).toEqual([
    true,
    undefined,
  ]);
  expect(configuration.rules.map(({ id, line }) => `${line} ${id}`)).toMatchInlineSnapshot(`
    [
      "20 limit-count of service shop",
      "8 limit-req of route items",
    ]
  `);
});

test("limit-count: a window begins with a request", () => {
  const requests = [...times(3, { at: 59 }), ...times(2, { at: 61 }), ...times(3, { at: 119.5 })];
  expect(decisions(file(count("count: 2")), requests)).toBe("++---++-");
});

test("limit-count: window_type sliding weighs the window before", () => {
  const text = file(count("count: 4, window_type: sliding"));
  const requests = [...times(5, { at: 30 }), ...times(4, { at: 90 })];
  expect(decisions(text, requests)).toBe("++++-++--");
});

test.each([
  ["the address by default", "", "+--+"],
  ["a header", ", key: http_x_key", "++-+"],
  ["the address in place of an empty key", ", key: http_x_other", "+--+"],
  ["a constant", ", key: all, key_type: constant", "+---"],
  ["a combination", ", key: $http_x_key $uri, key_type: var_combination", "++-+"],
  ["a parameter", ", key: arg_a", "+--+"],
])("limit-count counts by %s", (_, key, decided) => {
  const sent = [
    { at: 0, headers: { "x-key": "a" } },
    { headers: { "x-key": "b" } },
    { headers: { "x-key": "a" } },
    { ip: "192.0.2.2", headers: { "x-key": "c" } },
  ];
  expect(decisions(file(count(`count: 1${key}`)), sent)).toBe(decided);
});

test("limit-count: each of its rules counts requests that have its key, in turn", () => {
  const text = file(
    "limit-count: { rules: [{ count: 1, time_window: 60, key: $http_x_key }, { count: 3, time_window: 60, key: $remote_addr }] }",
  );
  const a = { at: 0, headers: { "x-key": "a" } };
  expect(decisions(text, [a, a, { at: 0 }, { at: 0 }, { at: 0 }])).toBe("+-++-");
});

test("limit-count: routes of a group count together", () => {
  const of = (group: string): string => `routes:
- { uri: /a, plugins: { ${count(`count: 1${group}`)} } }
- { uri: /b, plugins: { ${count(`count: 1${group}`)} } }
`;
  expect(decisions(of(", group: g"), to("/a", "/b"))).toBe("+-");
  expect(decisions(of(""), to("/a", "/b"))).toBe("++");
});

test("limit-count: an expression in place of a number is a question", () => {
  const text = file("limit-count: { count: '${http_x_count ?? 2}', time_window: 60 }");
  expect(openOf(read(text))).toEqual([
    "2 question count: ${http_x_count ?? 2}: requests have their own count; 2 is taken",
  ]);
  expect(decisions(text, times(3, { at: 0 }))).toBe("++-");
  const values = { count_at_line_2: "1" };
  expect(decisions(text, times(3, { at: 0 }), { values })).toBe("+--");
});

test("limit-req: rate per second, and burst requests more", () => {
  const text = file("limit-req: { rate: 0.5, burst: 1, key: remote_addr }");
  expect(decisions(text, [...times(3, { at: 0 }), { at: 1.9 }, { at: 2 }])).toBe("++--+");
  expect(read(text).rules[0]).toMatchObject({ written: "0.5 per 1s, burst 1", status: 503 });
});

test("limit-count comes before limit-req", () => {
  const text = file(`limit-req: { rate: 1, burst: 0, key: remote_addr }, ${count("count: 2")}`);
  // The second request is counted by limit-count, although limit-req refuses it.
  expect(decisions(text, [{ at: 0 }, { at: 0 }, { at: 5 }])).toBe("+--");
});

test("limit-count of a service comes before limit-req of a route", () => {
  const text = `routes: [{ uri: /*, service_id: s, plugins: { limit-req: { rate: 1, burst: 0, key: remote_addr } } }]
services: [{ id: s, plugins: { ${count("count: 2")} } }]
`;
  expect(decisions(text, [{ at: 0 }, { at: 0 }, { at: 5 }])).toBe("+--");
});

test("cors answers OPTIONS before limits", () => {
  const text = file(`cors: {}, ${count("count: 1")}`);
  expect(decisions(text, [{ at: 0, method: "OPTIONS" }, {}, {}])).toBe("++-");
});

test("a plugin of a consumer comes before that of a route, and this before that of a service", () => {
  const text = `routes:
- { uri: /a, service_id: s, plugins: { key-auth: {}, ${count("count: 2")} } }
- { uri: /b, service_id: s }
services:
- { id: s, plugins: { ${count("count: 1")} } }
consumers:
- { username: ann, plugins: { key-auth: { key: k }, ${count("count: 3")} } }
`;
  const countAdmitted = (path: string, apikey: string): number =>
    decisions(text, times(5, { at: 0, path, headers: { apikey } })).split("+").length - 1;
  expect([countAdmitted("/b", ""), countAdmitted("/a", ""), countAdmitted("/a", "k")]).toEqual([
    1, 2, 3,
  ]);
  expect(read(text).questions).toMatchObject([{ name: "consumer", value: "header:apikey" }]);
});

test("a global rule counts in addition, also requests without a route", () => {
  const text = `global_rules:
- { id: 1, plugins: { ${count("count: 2")} } }
routes:
- { uri: /a, plugins: { ${count("count: 1")} } }
`;
  expect(decisions(text, to("/a", "/a", "/b"))).toBe("+--");
});

test("a plugin configuration, a route that is off, and a plugin that is off", () => {
  const shared = `routes: [{ uri: /a, plugin_config_id: c }]\nplugin_configs: [{ id: c, plugins: { ${count("count: 1")} } }]\n`;
  expect(decisions(shared, to("/a", "/a"))).toBe("+-");
  const off = file(count("count: 1, _meta: { disable: true }"));
  expect(read(off).rules).toEqual([]);
  const route = `routes: [{ uri: /a, status: 0, plugins: { ${count("count: 1")} } }]\n`;
  expect(read(route).rules).toEqual([]);
});

test.each([
  ["the whole uri", "uri: /a", { path: "/a?b" }, { path: "/a/b" }],
  ["a prefix", "uri: /a/*", { path: "/a/b" }, { path: "/a" }],
  ["a parameter", "uri: /a/:id", { path: "/a/1" }, { path: "/a/1/2" }],
  ["several uris", "uris: [/a, /b]", { path: "/b" }, { path: "/c" }],
  ["methods", "uri: /*, methods: [POST]", { method: "POST" }, {}],
  ["a host", "uri: /*, host: '*.a.com'", { host: "b.a.com" }, { host: "a.org" }],
  ["networks", "uri: /*, remote_addrs: [10.0.0.0/8]", { ip: "10.1.1.1" }, {}],
  ["vars", 'uri: /*, vars: [[arg_v, "==", "2"]]', { path: "/?v=2" }, { path: "/?v=1" }],
  [
    "vars in a list",
    "uri: /*, vars: [[http_x_a, in, [b, c]]]",
    { headers: { "x-a": "c" } },
    { headers: { "x-a": "d" } },
  ],
  ["vars by a pattern", 'uri: /*, vars: [[uri, "~~", "^/b"]]', { path: "/b" }, { path: "/c" }],
])("a route by %s", (_, match, counted, other) => {
  const text = `routes: [{ ${match}, plugins: { ${count("count: 1")} } }]\n`;
  expect(decisions(text, [{ at: 0, ...counted }, counted])).toBe("+-");
  expect(decisions(text, [{ at: 0, ...other }, other])).toBe("++");
});

test("a longer uri comes first, and then the priority", () => {
  const of = (first: string, second: string): string =>
    `routes: [{ ${first}, plugins: { ${count("count: 1")} } }, { ${second} }]\n`;
  expect(decisions(of("uri: /*", "uri: /a/*"), to("/a/b", "/a/b"))).toBe("++");
  expect(decisions(of("uri: /*, priority: 9", "uri: /a/*"), to("/a/b", "/a/b"))).toBe("++");
  expect(decisions(of("uri: /a/b", "uri: /a/*"), to("/a/b", "/a/b"))).toBe("+-");
  expect(decisions(of("uri: /a", "uri: /a, priority: 1"), to("/a", "/a"))).toBe("++");
});

test("vars that the reader does not know are a question", () => {
  const text = `routes: [{ id: a, uri: /*, vars: [[geoip, "==", "x"]], plugins: { ${count("count: 1")} } }]\n`;
  expect(read(text).questions).toMatchObject([{ name: "requests_of_route_a", value: "all" }]);
  const values = { requests_of_route_a: "none" };
  expect(decisions(text, times(2, { at: 0 }), { values })).toBe("++");
});

test("ApisixRoute, ApisixPluginConfig and ApisixGlobalRule of Kubernetes", () => {
  const text = `apiVersion: apisix.apache.org/v2
kind: ApisixRoute
metadata: { name: shop }
spec:
  http:
  - name: a
    match: { paths: [/a/*], methods: [GET] }
    plugins:
    - { name: limit-count, enable: true, config: { count: 1, time_window: 60 } }
  - name: b
    match: { paths: [/b] }
    plugin_config_name: few
---
apiVersion: apisix.apache.org/v2
kind: ApisixPluginConfig
metadata: { name: few }
spec: { plugins: [{ name: limit-count, enable: true, config: { count: 2, time_window: 60 } }] }
---
apiVersion: apisix.apache.org/v2
kind: ApisixGlobalRule
metadata: { name: all }
spec: { plugins: [{ name: limit-count, enable: false, config: { count: 1, time_window: 60 } }] }
`;
  expect(decisions(text, to("/a/1", "/a/2", "/b", "/b", "/b"))).toBe("+-++-");
});

test("PluginConfig of the Gateway API: what it limits is a question", () => {
  const text = `apiVersion: apisix.apache.org/v1alpha1
kind: PluginConfig
metadata: { name: few }
spec: { plugins: [{ name: limit-count, config: { count: 1, time_window: 60 } }] }
`;
  expect(read(text).questions).toMatchObject([{ name: "requests_of_few", value: "all" }]);
  const values = { requests_of_few: "path:/a" };
  expect(decisions(text, to("/a", "/b", "/b", "/a"), { values })).toBe("+++-");
});

test("credentials of ADC find their consumer", () => {
  const text = `consumers: [{ username: ann, credentials: [{ type: key-auth, config: { key: k } }] }]
services: [{ name: s, routes: [{ uris: [/a], plugins: { key-auth: {}, ${count("count: 1, key: consumer_name")} } }] }]
`;
  const keys = ["k", "ann", "x"].map((apikey) => ({ at: 0, path: "/a", headers: { apikey } }));
  expect(decisions(text, keys)).toBe("+-+");
});

test("one route of the Admin API, and a list of them", () => {
  const route = `{"uri": "/a", "plugins": {"limit-count": {"count": 1, "time_window": 60}}}`;
  expect(decisions(route, to("/a", "/a"))).toBe("+-");
  expect(decisions(`{"total": 1, "list": [{"value": ${route}}]}`, to("/a", "/a"))).toBe("+-");
});

test.each([
  ["routes: [", "in.txt:1: this is not YAML:"],
  [file("limit-count: { count: 1 }"), "in.txt:2: limit-count has no time_window; write one"],
  [file(count("count: 0")), 'in.txt:2: count is "0"; write an integer of at least 1'],
  [file("limit-req: { burst: 1 }"), "in.txt:2: limit-req has no rate; write one"],
  [file(count("count: 1, key_type: x")), 'in.txt:2: key_type is "x"; write var, var_combination'],
  [
    "routes: [{ uri: /a, remote_addrs: [x], plugins: {} }]\n#END\n",
    'in.txt:1: remote_addrs has "x"; write an address or network',
  ],
])("%j is one problem", (text, problem) => {
  const failed = readText(APISIX_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([expect.stringContaining(problem)]);
});
