// All readers of configurations: which one takes a file, and that a damaged file is a problem and never a crash.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { Failure, isFailure } from "#src/kit/reading/failure.ts";
import { findReader, READERS } from "#src/lab/implementations/readers.ts";
import type { ConfigurationReader } from "#src/lab/implementations/reading.ts";
import { holds } from "../../runs.ts";
import { play, readText } from "./read-and-play.ts";

/** A file with one limit of 1 for each client. */
const FILES: Readonly<Record<string, string>> = {
  nginx: `limit_req_zone $binary_remote_addr zone=all:1m rate=1r/m;
server {
  location / {
    limit_req zone=all;
    proxy_pass http://app;
  }
}
`,
  haproxy: `defaults
  mode http
frontend web
  bind :80
  acl api path_beg /
  http-request track-sc0 src table t if api
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 1 } !{ method PUT }
  default_backend app
backend app
  server a 127.0.0.1:8080 check
backend t
  stick-table type ip size 1m expire 10m store http_req_rate(60s)
`,
  apisix: `routes:
  - uri: /*
    vars: [[uri, "~~", "^/"]]
    plugins:
      limit-count: { count: 1, time_window: 60, key: "$remote_addr", key_type: var_combination }
#END
`,
  caddy: `(few) {
  rate_limit {
    zone few {
      key {remote_host}
      events 1
      window 1m
    }
  }
}
:80 {
  @some path /*
  handle @some {
    import few
  }
  reverse_proxy "a:80"
}
`,
  cloudflare: `{"resource": {"cloudflare_ruleset": {"a": {"phase": "http_ratelimit", "rules": [{
  "action": "block",
  "expression": "(http.host eq \\"a\\" or starts_with(http.request.uri.path, \\"/\\"))",
  "ratelimit": {"characteristics": ["cf.colo.id", "ip.src"], "period": 60, "requests_per_period": 1}
}]}}}}
`,
  "aws-api-gateway": `Resources:
  Stage:
    Type: AWS::ApiGateway::Stage
    Properties:
      MethodSettings:
        - { ResourcePath: "/*", HttpMethod: "*", ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 }
`,
  kong: `_format_version: "3.0"
services:
- url: http://a
  routes: [{ paths: ["~/.*"], headers: { x-a: ["~*"] } }, { paths: [/] }]
plugins:
- name: rate-limiting
  config: { minute: 1, policy: local }
`,
  "envoy-ratelimit": `domain: shop
descriptors:
  - key: remote_address
    rate_limit: { unit: minute, requests_per_unit: 1 }
`,
  envoy: `static_resources:
  listeners:
  - filter_chains:
    - filters:
      - typed_config:
          http_filters:
          - name: envoy.filters.http.local_ratelimit
            typed_config:
              token_bucket: { max_tokens: 1, tokens_per_fill: 1, fill_interval: 60s }
              filter_enabled: { default_value: { numerator: 100 } }
              filter_enforced: { default_value: { numerator: 100 } }
          route_config:
            virtual_hosts:
            - domains: ["*"]
              rate_limits: [{ actions: [{ remote_address: {} }] }]
              routes: [{ match: { prefix: / }, route: { cluster: a } }]
`,
  "envoy-gateway": `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: all }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: shop }]
  rateLimit:
    global:
      rules: [{ limit: { requests: 1, unit: Minute } }]
`,
  kuadrant: `apiVersion: kuadrant.io/v1
kind: RateLimitPolicy
metadata: { name: all }
spec:
  targetRef: { group: gateway.networking.k8s.io, kind: HTTPRoute, name: shop }
  limits:
    all: { rates: [{ limit: 1, window: 1m }], when: [{ predicate: "request.path != '/x' && true" }] }
`,
  "spring-cloud-gateway": `spring:
  cloud:
    gateway:
      routes:
      - id: all
        predicates: [Path=/**]
        filters:
        - name: RequestRateLimiter
          args:
            redis-rate-limiter.replenishRate: 1
            redis-rate-limiter.burstCapacity: 60
            redis-rate-limiter.requestedTokens: 60
            key-resolver: "#{@byAddress}"
`,
  tyk: `{
  "name": "all",
  "api_id": "all",
  "use_keyless": true,
  "proxy": { "listen_path": "/", "target_url": "http://app" },
  "global_rate_limit": { "rate": 1, "per": 60 }
}
`,
  traefik: `http:
  # all requests
  middlewares:
    few: { rateLimit: { average: 1, period: 1m } }
  routers:
    all: { rule: "Host(\`a\`) || (PathPrefix(\`/\`) && !Method(\`X\`))", middlewares: [few] }
`,
  varnish: `vcl 4.1;
import vsthrottle;
backend default { .host = "127.0.0.1"; }
sub vcl_recv {
  if (req.url ~ "^/" && vsthrottle.is_denied(client.ip, 1, 60s)) {
    return (synth(429, "Too Many Requests"));
  } else { set req.http.x = "a" + req.url; }
}
`,
};

const readerOf = (kind: string): ConfigurationReader => READERS.find((each) => each.kind === kind)!;

const kindsOf = (text: string): readonly string[] =>
  READERS.filter((each) => each.recognizes({ file: "in.txt", text })).map(({ kind }) => kind);

test("each reader has a file here", () => {
  expect(Object.keys(FILES).toSorted()).toEqual(READERS.map(({ kind }) => kind).toSorted());
});

test.each(Object.keys(FILES))("a file of %s has one reader, which reads its limit", (kind) => {
  for (const text of [FILES[kind]!, FILES[kind]!.replaceAll("\n", "\r\n")]) {
    expect(kindsOf(text)).toEqual([kind]);
    const configuration = readText(readerOf(kind), text);
    if (isFailure(configuration)) throw new Error(configuration.message);
    expect(configuration.rules).toHaveLength(1);
    expect(play(configuration, [{ at: 0 }, {}])).toBe("+-");
  }
});

test.each([
  [
    "spring-cloud-gateway",
    "static resources",
    "spring:\n  web:\n    resources: {}\n  cloud:\n    gateway:\n      routes: []\n",
  ],
  ["varnish", "a brace on the next line", "vcl 4.1;\nbackend a\n{\n}\nsub vcl_recv\n{\n}\n"],
  ["varnish", "an included .conf", 'vcl 4.1;\ninclude "acl.conf";\nsub vcl_recv {\n}\n'],
  [
    "envoy",
    "resources alone",
    'resources:\n- "@type": type.googleapis.com/envoy.config.listener.v3.Listener\n',
  ],
  [
    "caddy",
    "a variable of the environment",
    ":80 {\n  rate_limit {\n    zone a {\n      events {$EVENTS}\n    }\n  }\n}\n",
  ],
  ["nginx", "a quoted include", 'include "conf.d/*.conf";\n'],
])("a file of %s with %s has no other reader", (kind, _, text) => {
  expect(kindsOf(text)).toEqual([kind]);
});

/** As a generator writes the descriptions of a resource, in which any program is described. */
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: a.example.com }
spec:
  description: |
    The following is a server of nginx:
    server {
      location / {
      }
    }
    backend app
      server a 127.0.0.1:80
    static_resources:
    http_filters:
    - name: envoy.filters.http.local_ratelimit
      typed_config: {}
`;

test("the descriptions of a resource of Kubernetes are no configuration", () => {
  expect(kindsOf(DEFINITION)).toEqual([]);
  const inside = DEFINITION.slice(DEFINITION.indexOf("server {"));
  expect(kindsOf(inside)).toEqual(expect.arrayContaining(["nginx", "envoy", "haproxy"]));
});

test("a file that two readers recognize is a question for --kind", () => {
  const main = { file: "both.conf", text: `${FILES["nginx"]}\n${FILES["haproxy"]}` };
  const failure = new Failure(
    "both.conf may be a configuration of nginx and of haproxy; --kind selects one",
  );
  expect(findReader(main, null)).toEqual(failure);
  expect(findReader(main, "haproxy")).toBe(readerOf("haproxy"));
});

test("a file of Weir, a log and a document of another kind are recognized by none", () => {
  const others = [
    "apis:\n  a: { listen: /a }\n",
    '192.0.2.1 - - [05/Jan/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512\n',
    "apiVersion: v1\nkind: ConfigMap\ndata: {}\n",
    "apiVersion: apps/v1\nkind: Deployment\nspec:\n  resources: {}\n",
    "# HAProxy, Envoy and spring gateway routes\n",
    "",
  ];
  for (const text of others) expect(kindsOf(text)).toEqual([]);
});

/** Pieces that break a file at any place. */
const damage = fc.constantFrom(
  "",
  "{",
  "}",
  '"',
  "'",
  ":",
  "- ",
  "\n",
  "(",
  ")",
  "if",
  ",",
  "0",
  "&a ",
);

test.each(Object.keys(FILES))("no damage to a file of %s makes its reader throw", (kind) => {
  const text = FILES[kind]!;
  let read = 0;
  holds(
    fc.property(fc.nat(text.length), fc.nat(12), damage, (at, length, piece) => {
      const damaged = text.slice(0, at) + piece + text.slice(at + length);
      const configuration = readText(readerOf(kind), damaged);
      const problems = isFailure(configuration) ? configuration.problems : [];
      expect(problems.filter((problem) => problem === "")).toEqual([]);
      if (isFailure(configuration)) return;
      play(configuration, [{ at: 0 }, { path: "/a?b", ip: "" }, { method: "PUT" }]);
      read++;
    }),
    400,
  );
  expect(read).toBeGreaterThan(0);
});

/** Milliseconds of the processor: others work on the same machine. */
function measure(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("to recognize a file takes no longer than to parse it once as YAML, whatever its text", () => {
  const size = 100_000;
  const yaml = '- { a: "1", b: [c] }\n';
  const parseMs = measure(() => void parseAllDocuments(yaml.repeat(size / yaml.length)));
  const odd = ["\n", " ", "  \n", "- ", "{", "{\n", "#\n", "spring:\n", "<%", "\\", "location "];
  for (const part of odd) {
    const text = part.repeat(size / part.length);
    const ms = measure(() => void findReader({ file: "a.yaml", text }, null));
    expect({ part, isShort: ms < parseMs }).toEqual({ part, isShort: true });
  }
});
