// The reader of Kong: sentences of the documentation of rate-limiting, routes and plugins, with a case each.
import { expect, test } from "vitest";
import { KONG_READER } from "#src/lab/implementations/kong/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, play, readText, rolesOf, startReading, times } from "../read-and-play.ts";

const { read, decisions } = startReading(KONG_READER);

const limit = (config: string, rest = ""): string =>
  `{ name: rate-limiting, config: { ${config} }${rest} }`;

/** A file with one service, whose routes are given. */
const file = (routes: string, ...rest: readonly string[]): string =>
  `_format_version: "3.0"\nservices:\n- { name: shop, url: "http://a", routes: [${routes}] }\n${rest.join("\n")}\n`;

const ALL = "{ name: all, paths: [/] }";

const SAMPLE = `_format_version: "3.0"
_transform: true
services:
- name: shop
  url: http://shop:8080
  routes:
  - name: items
    paths: [/items]
    strip_path: false
    plugins:
    - name: rate-limiting
      config:
        minute: 5
        month: 1000
        policy: redis
        redis: { host: redis, password: hunter2 }
        colour: red
  plugins:
  - name: cors
  - name: my-own
consumers:
- username: ann
  keyauth_credentials: [{ key: s3cret }]
plugins:
- name: key-auth
- name: prometheus
- name: response-ratelimiting
  config: { limits: { sms: { minute: 10 } } }
upstreams: [{ name: a, targets: [{ target: "a:1" }] }]
`;

test("each field of a realistic file has a role, and no secret is in them", () => {
  const configuration = read(SAMPLE);
  expect(openOf(configuration)).toMatchInlineSnapshot(`
    [
      "14 not understood month: 1000: Kong counts by the calendar; windows of 30 days since 1970 are taken",
      "17 not understood colour: red: this reader does not know it; if it limits requests, the result is wrong",
      "20 not understood name: my-own: this reader does not know it; if it limits or ends requests, the result is wrong",
      "25 question name: key-auth: key-auth finds the consumer of a request; header:apikey is taken",
      "27 not understood name: response-ratelimiting: it limits requests, and this reader does not read it",
    ]
  `);
  expect(rolesOf(configuration).join("\n")).not.toMatch(/hunter2|s3cret/);
  expect(configuration.rules.map(({ id, line }) => `${line} ${id}`)).toMatchInlineSnapshot(`
    [
      "13 route items, each minute",
      "14 route items, each month",
    ]
  `);
});

test("windows are those of the calendar, whenever the first request came", () => {
  const text = file(ALL, `plugins: [${limit("minute: 2")}]`);
  expect(decisions(text, [...times(3, { at: 59 }), ...times(3, { at: 60 })])).toBe("++-++-");
});

test.each([
  ["second", 1],
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
  ["month", 2_592_000],
  ["year", 31_536_000],
])("a limit of each %s is over %i seconds", (period, seconds) => {
  const [rule] = read(file(ALL, `plugins: [${limit(`${period}: 3`)}]`)).rules;
  expect(rule!.limit).toEqual({ rate: 3, perUs: 1_000_000 * seconds });
});

test("a request that one period refuses is counted by none", () => {
  const text = file(ALL, `plugins: [${limit("second: 1, minute: 2")}]`);
  const requests = [...times(3, { at: 0 }), { at: 1 }, { at: 2 }];
  expect(decisions(text, requests)).toBe("+--+-");
});

test("without authentication the address is counted", () => {
  const text = file(ALL, `plugins: [${limit("minute: 1")}]`);
  expect(read(text).questions).toEqual([]);
  expect(decisions(text, [{ at: 0 }, { ip: "192.0.2.2" }, {}])).toBe("++-");
});

test("with authentication the consumer is counted, and a credential finds it", () => {
  const text = file(
    ALL,
    `consumers: [{ username: ann, keyauth_credentials: [{ key: k1 }, { key: k2 }] }]`,
    `plugins: [{ name: key-auth, config: { key_names: [X-Key] } }, ${limit("minute: 1")}]`,
  );
  const sent = ["k1", "k2", "k3"].map((key) => ({ at: 0, headers: { "x-key": key } }));
  expect(decisions(text, sent)).toBe("+-+");
  expect(read(text).questions).toMatchObject([{ name: "consumer", value: "header:x-key" }]);
  const values = { consumer: "header:x-user" };
  const users = ["ann", "bob", "ann"].map((user) => ({ at: 0, headers: { "x-user": user } }));
  expect(decisions(text, users, { values })).toBe("++-");
});

test.each([
  ["ip", "+---"],
  ["service", "+---"],
  ["header, header_name: X-Plan", "++--"],
  ["path, path: /b", "++--"],
])("limit_by: %s", (by, decided) => {
  const text = file(ALL, `plugins: [${limit(`minute: 1, limit_by: ${by}`)}]`);
  const requests = [
    { at: 0, path: "/a" },
    { path: "/b", headers: { "x-plan": "gold" } },
    { path: "/b", headers: { "x-plan": "gold" } },
    { path: "/a" },
  ];
  expect(decisions(text, requests)).toBe(decided);
});

test("limit_by: service counts all addresses together", () => {
  const text = file(ALL, `plugins: [${limit("minute: 1, limit_by: service")}]`);
  expect(decisions(text, [{ at: 0 }, { ip: "192.0.2.2" }])).toBe("+-");
});

test("the plugin of the most specific scope applies, and only this one", () => {
  const text = file(
    `{ name: a, paths: [/a], plugins: [${limit("minute: 2")}] }, ${ALL}`,
    `consumers: [{ username: ann, plugins: [${limit("minute: 3")}] }]`,
    `plugins: [{ name: key-auth }, ${limit("minute: 1")}, ${limit("minute: 4", ", consumer: ann, route: a")}]`,
  );
  const of = (path: string, consumer: string): number =>
    decisions(text, times(6, { at: 0, path, headers: { "x-user": consumer } }), {
      values: { consumer: "header:x-user" },
    }).split("+").length - 1;
  expect([of("/", "bob"), of("/a", "bob"), of("/", "ann"), of("/a", "ann")]).toEqual([1, 2, 3, 4]);
});

test("a plugin of a service counts all of its routes, and one of a consumer group its members", () => {
  const ofService = `_format_version: "3.0"
services:
- { name: a, routes: [{ paths: [/a] }, { paths: [/b] }], plugins: [${limit("minute: 1")}] }
- { name: b, routes: [{ paths: [/c] }] }
`;
  expect(
    decisions(
      ofService,
      ["/a", "/b", "/c", "/c"].map((path) => ({ at: 0, path })),
    ),
  ).toBe("+-++");
  const ofGroup = file(
    ALL,
    "consumers: [{ username: ann, groups: [{ name: gold }] }, { username: bob }]",
    `consumer_groups: [{ name: gold, plugins: [${limit("minute: 1")}] }]`,
    "plugins: [{ name: key-auth }]",
  );
  const users = ["ann", "ann", "bob", "bob"].map((user) => ({ at: 0, headers: { apikey: user } }));
  expect(decisions(ofGroup, users)).toBe("+-++");
});

test("a request without a route is answered before it is counted", () => {
  const text = file("{ paths: [/a] }", `plugins: [${limit("minute: 1")}]`);
  expect(decisions(text, times(2, { at: 0, path: "/b" }))).toBe("++");
});

test.each([
  ["more fields come first", "{ paths: [/a, /b/c] }", "{ paths: [/], methods: [GET] }", "/a/b"],
  ["a regular expression comes first", "{ paths: [/a/b] }", '{ paths: ["~/a/\\\\w"] }', "/a/b"],
  ["the longer prefix comes first", "{ paths: [/a] }", "{ paths: [/a/b] }", "/a/bc"],
  [
    "a higher regex_priority comes first",
    '{ paths: ["~/a"] }',
    '{ paths: ["~/a"], regex_priority: 1 }',
    "/a",
  ],
])("of two routes %s", (_, first, second, path) => {
  const withLimit = second.replace("}", `, plugins: [${limit("minute: 1")}] }`);
  expect(decisions(file(`${first}, ${withLimit}`), times(2, { at: 0, path }))).toBe("+-");
  expect(decisions(file(`${withLimit}, ${first}`), times(2, { at: 0, path }))).toBe("+-");
});

test("hosts of a route may have an asterisk, and a log without hosts leaves a question", () => {
  const text = file(
    `{ hosts: ["*.example.com"] }`,
    `plugins: [${limit("minute: 1, limit_by: service")}]`,
  );
  const hosts = ["a.example.com", "b.example.com:8080", "example.org", "example.org"];
  expect(
    decisions(
      text,
      hosts.map((host) => ({ at: 0, host })),
    ),
  ).toBe("+-++");
  const configuration = read(text);
  expect(play(configuration, times(2, { at: 0 }))).toBe("+-");
  expect(configuration.questions).toMatchObject([{ name: "host", value: "" }]);
});

test("a route by headers and an old file with a plain regular expression", () => {
  const byHeader = file(
    `{ headers: { X-Version: [v1, v2] }, plugins: [${limit("minute: 1")}] }, ${ALL}`,
  );
  const sent = ["v1", "V2", "v3", "v3"].map((v) => ({ at: 0, headers: { "x-version": v } }));
  expect(decisions(byHeader, sent)).toBe("+-++");
  const old = file(`{ paths: ["/a/\\\\d+"], plugins: [${limit("minute: 1")}] }`).replace(
    "3.0",
    "2.1",
  );
  expect(
    decisions(
      old,
      ["/a/1", "/a/2", "/a/x"].map((path) => ({ at: 0, path })),
    ),
  ).toBe("+-+");
});

test("cors answers preflight requests before they are counted", () => {
  const cors = (config: string): string =>
    file(ALL, `plugins: [{ name: cors, config: { ${config} } }, ${limit("minute: 1")}]`);
  const sent = [{ at: 0, method: "OPTIONS" }, {}, {}];
  expect(decisions(cors(""), sent)).toBe("++-");
  expect(decisions(cors("preflight_continue: true"), sent)).toBe("+--");
});

test("a plugin that is off, and a shared configuration", () => {
  const off = file(ALL, `plugins: [${limit("minute: 1", ", enabled: false")}]`);
  expect(read(off).rules).toEqual([]);
  const shared = file(
    ALL,
    "_plugin_configs: { few: { minute: 1 } }",
    "plugins: [{ name: rate-limiting, _config: few }]",
  );
  expect(decisions(shared, times(2, { at: 0 }))).toBe("+-");
});

test("KongPlugin of Kubernetes: what it limits is a question, unless it is global", () => {
  const resource = (kind: string, labels: string): string =>
    `apiVersion: configuration.konghq.com/v1\nkind: ${kind}\nmetadata: { name: few, labels: { ${labels} } }\nplugin: rate-limiting\nconfig: { minute: 1, policy: local }\n`;
  const text = resource("KongPlugin", "");
  expect(openOf(read(text))).toEqual([
    "4 question plugin: rate-limiting: annotations of other resources select its requests; all is taken",
  ]);
  const values = { requests_of_few: "path:/a" };
  expect(
    decisions(
      text,
      ["/a", "/b", "/a"].map((path) => ({ at: 0, path })),
      { values },
    ),
  ).toBe("++-");
  expect(read(resource("KongClusterPlugin", 'global: "true"')).questions).toEqual([]);
});

test("a declarative file inside of another one is a problem, and no file without limits", () => {
  const text = `kind: ConfigMap\ndata:\n  kong.yml: |\n    ${file(ALL).replaceAll("\n", "\n    ")}\n`;
  const failed = readText(KONG_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([
    expect.stringContaining("save the text in its data as a file of its own"),
  ]);
});

test.each([
  ["_format_version: [", "in.txt:1: this is not YAML:"],
  [file(ALL, `plugins: [${limit("policy: local")}]`), "in.txt:4: rate-limiting has no limit"],
  [
    file(ALL, `plugins: [${limit("minute: -1")}]`),
    'in.txt:4: minute is "-1"; write a number above 0',
  ],
  [
    file(ALL, `plugins: [${limit("minute: 1, limit_by: colour")}]`),
    'in.txt:4: limit_by is "colour"; write consumer,',
  ],
])("%j is one problem", (text, problem) => {
  const failed = readText(KONG_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([expect.stringContaining(problem)]);
});
