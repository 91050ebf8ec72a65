// The reader of Envoy Gateway, by the sentences of its documentation: each has a case.
import { expect, test } from "vitest";
import { ENVOY_GATEWAY_READER } from "#src/lab/implementations/envoy-gateway/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, rolesOf, times, type Sent } from "../read-and-play.ts";
import { by, decide, limit, policy, read, route } from "./texts.ts";

const AT_START: Sent = { at: 0 };

test("each field of a realistic policy has a role", () => {
  const text = `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: all }
spec:
  targetRefs:
  - { group: gateway.networking.k8s.io, kind: HTTPRoute, name: shop }
  retry: { numRetries: 3 }
  circuitBreaker: { maxParallelRequests: 10 }
  colour: red
  rateLimit:
    type: Global
    global:
      rules:
      - clientSelectors:
        - sourceCIDR: { type: Distinct, value: 0.0.0.0/0 }
        limit: { requests: 10, unit: Minute }
        xRateLimitHeaders: Off
        burst: 5
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec:
  hostnames: [shop.example]
  rules:
  - matches: [{ path: { value: / } }]
    backendRefs: [{ name: shop, port: 80 }]
`;
  expect(rolesOf(read(text))).toMatchInlineSnapshot(`
    [
      "1 irrelevant apiVersion: gateway.envoyproxy.io/v1alpha1",
      "2 irrelevant kind: BackendTrafficPolicy",
      "3 irrelevant metadata:",
      "4 read spec:",
      "5 read targetRefs:",
      "6 read - group: gateway.networking.k8s.io",
      "6 read group: gateway.networking.k8s.io",
      "6 read kind: HTTPRoute",
      "6 read name: shop",
      "7 irrelevant retry:",
      "8 not understood circuitBreaker:: it limits connections and requests at the same time, which this reader does not read",
      "9 not understood colour: red: this reader does not know it; if it limits requests, the result is wrong",
      "10 read rateLimit:",
      "11 read type: Global",
      "12 read global:",
      "13 read rules:",
      "14 read clientSelectors:",
      "15 read - sourceCIDR:",
      "15 read sourceCIDR:",
      "15 read type: Distinct",
      "15 read value: 0.0.0.0/0",
      "16 read limit:",
      "16 read requests: 10",
      "16 read unit: Minute",
      "17 irrelevant xRateLimitHeaders: Off",
      "18 not understood burst: 5: this reader does not know it; if it limits requests, the result is wrong",
      "20 irrelevant apiVersion: gateway.networking.k8s.io/v1",
      "21 irrelevant kind: HTTPRoute",
      "22 irrelevant metadata:",
      "23 read spec:",
      "24 read hostnames: [shop.example]",
      "25 read rules:",
      "26 read matches:",
      "26 read - path:",
      "26 read path:",
      "26 read value: /",
      "27 irrelevant backendRefs:",
    ]
  `);
});

test("a global limit counts in windows of the clock, by the service that all proxies share", () => {
  const text = policy("global", [limit(2)]);
  const sent = [...times(3, { at: 50 }), ...times(3, { at: 60 })];
  expect(decide(text, sent)).toBe("++-++-");
});

test("a local limit is a bucket that fills all the time", () => {
  const text = policy("local", [limit(2)]);
  const sent = [...times(3, { at: 50 }), ...times(2, { at: 80 }), { at: 140 }];
  expect(decide(text, sent)).toBe("++-+-+");
});

test("each route has its own counters, also of a policy for the gateway", () => {
  const routes = route("r", "{ path: { value: /a } }") + route("s", "{ path: { value: /b } }");
  const gateway = { target: "kind: Gateway, name: gw" };
  const sent = [...times(2, { at: 0, path: "/a" }), ...times(2, { path: "/b" }), { path: "/c" }];
  expect(decide(policy("global", [limit(1)], gateway) + routes, sent)).toBe("+-+-+");
  const shared = policy("global", [`${limit(1)}, shared: true`], gateway);
  expect(decide(shared + routes, sent)).toBe("+---+");
});

test("all conditions of all selectors have to hold", () => {
  const headers = "headers: [{ name: x-user, value: one }, { name: x-org, value: acme }]";
  const text = policy("global", [by(`${headers}, methods: [{ value: GET }, { value: PUT }]`, 1)]);
  const of = (user: string, org: string, method = "GET"): string =>
    decide(text, times(2, { at: 0, method, headers: { "x-user": user, "x-org": org } }));
  expect([of("one", "acme"), of("one", "acme", "PUT")]).toEqual(["+-", "+-"]);
  expect([of("two", "acme"), of("one", ""), of("one", "acme", "POST")]).toEqual(["++", "++", "++"]);
  const two = `clientSelectors: [{ headers: [{ name: a, value: x }] }, { headers: [{ name: b, value: y }] }], ${limit(1)}`;
  const both = (a: string, b: string): string =>
    decide(policy("global", [two]), times(2, { at: 0, headers: { a, b } }));
  expect([both("x", "y"), both("x", ""), both("", "y")]).toEqual(["+-", "++", "++"]);
});

test.each([
  ["headers: [{ name: x-user, type: Distinct }]", { headers: { "x-user": "a" } }, {}],
  ["headers: [{ name: x-user, value: a, invert: true }]", {}, { headers: { "x-user": "a" } }],
  [
    "headers: [{ name: x-user, type: RegularExpression, value: 'a.*' }]",
    { headers: { "x-user": "ab" } },
    { headers: { "x-user": "b" } },
  ],
  ["methods: [{ value: POST, invert: true }]", { method: "GET" }, { method: "POST" }],
  ["path: { value: /a }", { path: "/a/b" }, { path: "/ab" }],
  ["path: { value: /a }", { path: "/a?b=/c" }, { path: "/b" }],
  ["path: { value: /, type: PathPrefix }", { path: "/any" }, { path: "*" }],
  ["path: { value: /a, type: Exact }", { path: "/a" }, { path: "/a?b" }],
  ["path: { value: '/a[0-9]', type: RegularExpression }", { path: "/a1" }, { path: "/a12" }],
  ["path: { value: /a, invert: true }", { path: "/b" }, { path: "/a" }],
  ["sourceCIDR: { value: 192.0.2.0/24 }", { ip: "192.0.2.7" }, { ip: "198.51.100.1" }],
  ["sourceCIDR: { value: 192.0.2.0/24, invert: true }", { ip: "10.0.0.1" }, { ip: "192.0.2.7" }],
  ["queryParams: [{ name: q, value: a }]", { path: "/?q=a" }, { path: "/?q=b" }],
  ["queryParams: [{ name: q, type: Distinct }]", { path: "/?q=a" }, { path: "/?r=a" }],
] as const)("the selector %s selects its requests", (selector, inside: Sent, outside: Sent) => {
  for (const kind of ["global", "local"]) {
    const text = policy(kind, [by(selector, 1)]);
    const twice = (sent: Sent): string => decide(text, times(2, { at: 0, ...sent }));
    expect([twice(inside), twice(outside)]).toEqual(["+-", "++"]);
  }
});

test("Distinct gives each value a budget, and Exact one to all of them", () => {
  const of = (type: string): string =>
    decide(policy("global", [by(`sourceCIDR: { type: ${type}, value: 0.0.0.0/0 }`, 1)]), [
      { at: 0, ip: "192.0.2.1" },
      { ip: "192.0.2.2" },
      { ip: "192.0.2.2" },
    ]);
  expect([of("Exact"), of("Distinct")]).toEqual(["+--", "++-"]);
});

test("several global rules all count a request, and one that refuses is enough", () => {
  const text = policy("global", [limit(3), by("path: { value: /a }", 1)]);
  const sent = [...times(3, { at: 0, path: "/a" }), { path: "/b" }];
  expect(decide(text, sent)).toBe("+---");
});

test("a global rule counts requests that another one refuses", () => {
  const text = policy("global", [by("headers: [{ name: x, value: y }]", 1), limit(3)]);
  const sent = [...times(3, { at: 0, headers: { x: "y" } }), { headers: {} }];
  expect(decide(text, sent)).toBe("+---");
});

test("a local rule does not count what a stricter one refuses", () => {
  const text = policy("local", [
    by("path: { value: /a }", 3),
    by("headers: [{ name: x, value: y }]", 1),
  ]);
  const sent = [
    ...times(3, { at: 0, path: "/a", headers: { x: "y" } }),
    ...times(3, { path: "/a", headers: {} }),
  ];
  expect(decide(text, sent)).toBe("+--++-");
});

test("of several local rules the strictest decides, and the one without selectors is for the others", () => {
  const text = policy("local", [
    limit(1),
    by("path: { value: /a }", 3),
    by("headers: [{ name: x, value: y }]", 2),
  ]);
  expect(decide(text, times(4, { at: 0, path: "/a" }))).toBe("+++-");
  expect(decide(text, times(4, { at: 0, path: "/a", headers: { x: "y" } }))).toBe("++--");
  expect(decide(text, times(2, { at: 0, path: "/b" }))).toBe("+-");
});

test("a request that a local limit refuses does not reach the service", () => {
  const both = `${policy("local", [by("path: { value: /a }", 1)])}    global:\n      rules: [{ ${limit(2)} }]\n`;
  const sent = [...times(3, { at: 0, path: "/a" }), ...times(2, { path: "/b" })];
  expect(decide(both, sent)).toBe("+--+-");
  const ofType = both.replace("rateLimit:", "rateLimit:\n    type: Local");
  expect(decide(ofType, sent)).toBe("+--++");
});

test("a policy for a route is in place of one for its gateway, and one for a rule in place of both", () => {
  const texts = [
    policy("global", [limit(1)], { name: "wide", target: "kind: Gateway, name: gw" }),
    policy("global", [limit(2)], { name: "narrow" }),
    policy("global", [limit(3)], {
      name: "rule",
      target: "kind: HTTPRoute, name: r, sectionName: first",
    }),
    route("r", "{ path: { value: / } }"),
  ];
  const of = (...indexes: readonly number[]): string =>
    decide(indexes.map((index) => texts[index]!).join(""), times(4, AT_START));
  expect([of(0, 3), of(0, 1, 3), of(0, 1, 2, 3)]).toEqual(["+---", "++--", "+++-"]);
  const without = `---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: retries }
spec: { targetRef: { kind: HTTPRoute, name: r }, retry: {} }
`;
  expect(decide(texts[0]! + without + texts[3]!, times(2, AT_START))).toBe("++");
});

test("of two policies for one route the oldest applies, and else the first by name", () => {
  const of = (a: string, b: string): string =>
    [1, 2]
      .map((rate, index) =>
        policy("global", [limit(rate)], { name: `p${2 - index}` }).replace(
          "metadata: {",
          `metadata: { creationTimestamp: "${[a, b][index]!}",`,
        ),
      )
      .join("");
  const sent = times(3, AT_START);
  expect(decide(of("2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z"), sent)).toBe("+--");
  expect(decide(of("", ""), sent)).toBe("++-");
});

test("shadowMode counts and refuses nothing, and cost makes a request count more", () => {
  expect(decide(policy("global", [`${limit(1)}, shadowMode: true`]), times(2, AT_START))).toBe(
    "++",
  );
  const cost = (request: string): string =>
    policy("global", [`${limit(7)}, cost: { request: ${request} }`]);
  expect(decide(cost("{ from: Number, number: 3 }"), times(3, AT_START))).toBe("++-");
  const openFor = (text: string): readonly string[] =>
    openOf(read(text)).filter((line) => line.includes("not understood"));
  expect(openFor(cost("{ from: Number, number: 0 }"))).toEqual([
    expect.stringMatching(/request:: requests count nothing, so this limit is missing/),
  ]);
  expect(openFor(cost("{ from: Metadata }, response: { from: Number, number: 2 }"))).toEqual([
    expect.stringMatching(
      /request:: what a request costs is in its metadata, and each counts 1 here/,
    ),
    expect.stringMatching(/response:: what a response costs is not counted here/),
  ]);
});

test("statements that may change a limit are named with its consequence", () => {
  const merged = policy("global", [limit(1)], { more: "mergeType: StrategicMerge" });
  const selected = merged.replace(/targetRefs: .*/, "targetSelectors: [{ matchLabels: { a: b } }]");
  const patch =
    "---\napiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyPatchPolicy\nmetadata: { name: x }\nspec: { type: JSONPatch }\n";
  expect(openOf(read(merged + route("r", "{}") + patch))).toEqual([
    expect.stringMatching(
      /mergeType: StrategicMerge: the policy of the gateway is not merged here/,
    ),
    expect.stringMatching(/spec:: it changes Envoy's configuration/),
  ]);
  expect(openOf(read(selected))[0]).toMatch(/this reader does not select targets by labels/);
});

test.each([
  [limit(1.5), "in.txt:11: limit needs requests, an integer of at least 0"],
  [
    limit(1, "Fortnight"),
    'in.txt:11: limit needs a unit of Second, Minute, Hour, Day, Week, Month, Year; got "Fortnight"',
  ],
  [
    by("{}", 1).replace("{ {} }", "{}"),
    "in.txt:11: a client selector needs one of headers, methods, path, sourceCIDR, queryParams",
  ],
  [
    by("sourceCIDR: { value: everyone }", 1),
    'in.txt:11: sourceCIDR needs a network such as 10.0.0.0/8; got "everyone"',
  ],
  [
    by("headers: [{ name: a, type: Distinct, invert: true }]", 1),
    "in.txt:11: a Distinct match cannot be inverted",
  ],
  [
    by("headers: [{ name: a, type: Like }]", 1),
    "in.txt:11: there is no match of the type Like; write Exact, RegularExpression or Distinct",
  ],
])("the rule %s is one problem with its line", (rule, problem) => {
  const failed = readText(ENVOY_GATEWAY_READER, policy("global", [rule]));
  expect(isFailure(failed) ? failed.problems : []).toEqual([problem]);
});

test("a local limit has one rule without selectors, and admits at least one request", () => {
  const problemsOf = (...rules: readonly string[]): readonly string[] => {
    const failed = readText(ENVOY_GATEWAY_READER, policy("local", rules));
    return isFailure(failed) ? failed.problems : [];
  };
  expect(problemsOf(limit(1), limit(2))).toEqual([
    "in.txt:12: a local limit has one rule without clientSelectors; remove one",
  ]);
  expect(problemsOf(limit(0))).toEqual([
    "in.txt:11: limit needs requests, an integer of at least 1",
  ]);
});
