// What every reader does with large files and with secrets.
import { expect, test } from "vitest";
import { isFailure } from "#src/kit/reading/failure.ts";
import { findReader, KINDS } from "#src/lab/implementations/readers.ts";
import type { ConfigurationReader } from "#src/lab/implementations/reading.ts";
import { maskText } from "#src/lab/implementations/masked.ts";
import { mustRead, play, readText, rolesOf, times } from "./read-and-play.ts";

function readerOf(kind: string): ConfigurationReader {
  const reader = findReader({ file: "in.txt", text: "" }, kind);
  if (reader === null || isFailure(reader)) throw new Error(`no reader ${kind}`);
  return reader;
}

const many = (count: number, lineAt: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => lineAt(at)).join("\n");

const HAPROXY = `frontend web
  stick-table type ip size 1m expire 30s store http_req_rate(10s)
  http-request track-sc0 src
`;

test("files with more limits than anybody runs are one sentence", () => {
  const denies = many(2_001, (at) => `  http-request deny if { sc_http_req_rate(0) gt ${at} }`);
  expect(readText(readerOf("haproxy"), HAPROXY + denies)).toMatchObject({
    problems: ["in.txt has 2001 limits, over 2000; split it"],
  });
  const calls = many(
    1_001,
    (at) => `if (vsthrottle.is_denied(client.ip, ${at + 1}, 1s)) { return (synth(429)); }`,
  );
  expect(readText(readerOf("varnish"), `sub vcl_recv {\n${calls}\n}`)).toMatchObject({
    problems: ["in.txt has 1001 calls of vsthrottle, over 1000; split it"],
  });
});

test("parentheses of VCL are nested at most 100 deep", () => {
  const text = `sub vcl_recv { if (${"(".repeat(200)}true${")".repeat(200)}) { return (pass); } }`;
  expect(readText(readerOf("varnish"), text)).toMatchObject({
    problems: ["in.txt: parentheses are nested more than 100 deep"],
  });
});

test("eight ACLs with twenty lines each are one limit of HAProxy", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const acls = names.map((name) => many(20, (at) => `  acl ${name} path_sub ${name}${at}.`));
  const deny = `  http-request deny if ${names.join(" ")} { sc_http_req_rate(0) gt 1 }`;
  const configuration = mustRead(readerOf("haproxy"), `${HAPROXY}${acls.join("\n")}\n${deny}`);
  expect(configuration.rules).toHaveLength(1);
  const path = `/${names.map((name) => `${name}7.`).join("")}`;
  expect(play(configuration, times(3, { path, at: 0 }))).toBe("+--");
  expect(play(configuration, times(3, { path: "/a7.", at: 0 }))).toBe("+++");
});

test("ACLs with too many combinations are not dropped in silence", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const acls = names.flatMap((name) => [
    `  acl ${name} unknown_fetch`,
    many(4, (at) => `  acl ${name} path_sub ${at}`),
  ]);
  const deny = `  http-request deny if ${names.join(" ")} { sc_http_req_rate(0) gt 1 }`;
  const configuration = mustRead(readerOf("haproxy"), `${HAPROXY}${acls.join("\n")}\n${deny}`);
  expect(rolesOf(configuration).join("\n")).toMatch(/its ACLs have too many combinations/);
});

const ZONE = "limit_req_zone $a zone=a:1m rate=1r/s; server { limit_req zone=a; }";
const NGINX = `http { ${ZONE} }\n`;

const SECRETS: Readonly<Record<string, string>> = {
  nginx: `http { server { if ($http_x_api_key = hunter2) { return 403; }
    location / { proxy_set_header X-Api-Key hunter2; } } }`,
  haproxy: `${HAPROXY}  http-request deny unless { req.hdr(x-api-key) -m str hunter2 }\n`,
  varnish: `sub vcl_recv { if (req.http.x-api-key != "hunter2") { return (synth(403)); } }`,
  envoy: `static_resources:
  http_filters: []
  route_config:
    virtual_hosts:
    - name: a
      domains: ["*"]
      routes:
      - match: { prefix: /, headers: [{ name: x-api-key, string_match: { exact: hunter2 } }] }
        route: { cluster: a }
`,
  kong: `_format_version: "3.0"
consumers:
- username: ann
  keyauth_credentials: [{ key: hunter2 }]
  plugins: [{ name: rate-limiting, config: { minute: 4, redis: { password: hunter2 } } }]
services:
- url: http://ann:hunter2@a
  routes: [{ paths: [/], headers: { authorization: [Bearer hunter2] } }]
  plugins: [{ name: rate-limiting, config: { minute: 5, redis_password: hunter2 } }]
`,
  "envoy-ratelimit": `domain: a
descriptors:
- key: x-api-key
  value: hunter2
  rate_limit: { unit: minute, requests_per_unit: 5 }
`,
  "spring-cloud-gateway": `spring:
  cloud:
    gateway:
      routes:
      - id: a
        uri: http://ann:hunter2@localhost
        predicates: ["Path=/a", "Header=X-Api-Key, hunter2"]
        filters: ["AddRequestHeader=Authorization, hunter2"]
`,
};

test.each(Object.entries(SECRETS))("no statement of %s has a secret", (kind, text) => {
  const lines = rolesOf(mustRead(readerOf(kind), text));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.filter((line) => line.includes("hunter2"))).toEqual([]);
  expect(KINDS).toContain(kind);
});

test.each([
  [
    "nginx",
    "http;\nlimit_req_zone k zone=a:1m rate=1r/s;",
    '1: "http" has no block; write it with',
  ],
  ["nginx", "Dear nginx, regards.", '1: "Dear" has no semicolon; add one'],
  ["nginx", `map $a $a { default $a; } ${ZONE}`, "1: the variable $a needs itself"],
  ["kong", '_format_version: "3.0"\nservices: 5\n', "2: services is no list; write one"],
  ["kong", "[1, 2]", "1: this is no declarative file and has no KongPlugin; name the file"],
  ["kong", "Dear Kong", "in.txt has no map or list; it is no configuration in YAML"],
  ["envoy", "static_resources: 5\n", "1: static_resources is no map; write its listeners"],
  ["envoy", "static_resources: &a\n  listeners: [*a]\n", "2: values are nested more than 64 deep"],
  ["envoy", "Dear Envoy", "in.txt has no map or list; it is no configuration in YAML"],
  ["haproxy", "Dear HAProxy", '1: "Dear" is in no section; begin one, such as frontend NAME'],
])("a text that %s could not start with is one sentence: %j", (kind, text, problem) => {
  expect(readText(readerOf(kind), text)).toMatchObject({
    problems: [expect.stringContaining(problem)],
  });
});

test.each([
  ["nginx and of haproxy", `${NGINX}${HAPROXY}`],
  ["envoy and of kong", '_format_version: "3.0"\nservices: []\nstatic_resources: {}\n'],
  ["envoy-ratelimit and of kong", '_format_version: "3.0"\ndomain: a\ndescriptors: []\n'],
])("a file that may be of %s needs --kind", (kinds, text) => {
  expect(findReader({ file: "in.txt", text }, null)).toMatchObject({
    problems: [`in.txt may be a configuration of ${kinds}; --kind selects one`],
  });
});

test.each([
  ["Header=X-Api-Key, hunter2", "Header=X-Api-Key, ***"],
  ["if ($http_authorization ~* hunter2)", "if ($http_authorization ~* ***)"],
  ['req.http.x-token != "a b"', "req.http.x-token != ***"],
  ["token_bucket: 5, max_tokens: 6", "token_bucket: 5, max_tokens: 6"],
  ["Path=/oauth/token/**", "Path=/oauth/token/**"],
])("%s is shown as %s", (text, shown) => {
  expect(maskText(text)).toBe(shown);
});
