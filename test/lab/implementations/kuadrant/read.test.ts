// The reader of Kuadrant, by the sentences of its documentation: each has a case.
import { expect, test } from "vitest";
import { KUADRANT_READER } from "#src/lab/implementations/kuadrant/read.ts";
import type { ReadConfiguration } from "#src/lab/implementations/reading.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import {
  mustRead,
  openOf,
  play,
  readText,
  rolesOf,
  times,
  type ReadInput,
  type Sent,
} from "../read-and-play.ts";

const read = (text: string, input?: ReadInput): ReadConfiguration =>
  mustRead(KUADRANT_READER, text, input);

const decide = (text: string, requests: readonly Sent[], input?: ReadInput): string =>
  play(read(text, input), requests);

interface PolicyText {
  readonly name?: string;
  readonly target?: string;
  readonly block?: string; // around the limits, such as "defaults: { strategy: merge, limits: LIMITS }"
}

/** A policy with limits in flow style. */
const policy = (
  limits: string,
  { name = "p", target = "kind: HTTPRoute, name: r", block = "limits: LIMITS" }: PolicyText = {},
): string => `---
apiVersion: kuadrant.io/v1
kind: RateLimitPolicy
metadata: { name: ${name} }
spec:
  targetRef: { group: gateway.networking.k8s.io, ${target} }
  ${block.replace("LIMITS", () => `{ ${limits} }`)}
`;

const rate = (limit: number, window = "1m"): string =>
  `rates: [{ limit: ${limit}, window: ${window} }]`;

const route = (name: string, path: string, more = ""): string => `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name} }
spec:
  parentRefs: [{ name: gw }]
  ${more}
  rules: [{ name: first, matches: [{ path: { value: ${path} } }] }]
`;

const GATEWAY = "kind: Gateway, name: gw";

test("each field of a realistic policy has a role", () => {
  const text = `apiVersion: kuadrant.io/v1
kind: RateLimitPolicy
metadata: { name: shop }
spec:
  targetRef: { group: gateway.networking.k8s.io, kind: HTTPRoute, name: shop }
  colour: red
  limits:
    per-user:
      rates:
      - limit: 10
        window: 1m
      counters:
      - expression: auth.identity.userid
      when:
      - predicate: "request.method == 'POST'"
      - predicate: "auth.identity.group == 'free'"
---
apiVersion: kuadrant.io/v1alpha1
kind: TokenRateLimitPolicy
metadata: { name: tokens }
spec: { limits: {} }
`;
  const configuration = read(text);
  expect(rolesOf(configuration)).toMatchInlineSnapshot(`
    [
      "1 irrelevant apiVersion: kuadrant.io/v1",
      "2 irrelevant kind: RateLimitPolicy",
      "3 irrelevant metadata:",
      "4 read spec:",
      "5 question targetRef:: no file has the HTTPRoute shop; its requests are taken to begin with /, and --set path_of_shop=/PATH changes it",
      "6 not understood colour: red: this reader does not know it; if it limits requests, the result is wrong",
      "7 read limits:",
      "8 read per-user:",
      "9 read rates:",
      "10 read - limit: 10",
      "10 read limit: 10",
      "11 read window: 1m",
      "12 read counters:",
      "13 read - expression: auth.identity.userid",
      "13 question expression: auth.identity.userid: logs do not have it; remote_address is taken, and --set auth_identity_userid=header:NAME counts by a header",
      "14 read when:",
      "15 read - predicate: request.method == 'POST'",
      "15 read predicate: request.method == 'POST'",
      "16 question - predicate: auth.identity.group == 'free': a log does not have what it tests; it is taken to be true, and --set when_per_user_2=false changes it",
      "16 read predicate: auth.identity.group == 'free'",
      "18 irrelevant apiVersion: kuadrant.io/v1alpha1",
      "19 irrelevant kind: TokenRateLimitPolicy",
      "20 irrelevant metadata:",
      "21 not understood spec:: it limits tokens of language models, which this reader does not read",
    ]
  `);
  expect(configuration.questions.map(({ name, value }) => `${name}=${value}`)).toEqual([
    "when_per_user_2=true",
    "auth_identity_userid=remote_address",
    "path_of_shop=/",
  ]);
});

test("a window begins with its first request, and a refused request is not counted", () => {
  const text = policy(`all: { ${rate(2, "10s")} }`);
  const sent = [...times(3, { at: 5 }), { at: 14 }, ...times(3, { at: 15 })];
  expect(decide(text, sent)).toBe("++--++-");
});

test("all rates of a limit apply, and a request that one refuses spends nothing of the others", () => {
  const text = policy("all: { rates: [{ limit: 2, window: 10s }, { limit: 3, window: 1m }] }");
  const sent = [...times(4, { at: 0 }), ...times(3, { at: 10 }), { at: 60 }];
  expect(decide(text, sent)).toBe("++--+--+");
  const [post, all] = [
    `a: { ${rate(1)}, when: [{ predicate: "request.method == 'POST'" }] }`,
    `b: { ${rate(2)} }`,
  ];
  const requests = [...times(3, { at: 0, method: "POST" }), ...times(2, { method: "GET" })];
  for (const limits of [`${post}, ${all}`, `${all}, ${post}`])
    expect(decide(policy(limits), requests)).toBe("+--+-");
});

test("each value of the counters has a budget, and a request without one is not counted", () => {
  const text = policy(
    `all: { ${rate(1)}, counters: [{ expression: "request.headers['x-user']" }, { expression: request.method }] }`,
  );
  const of = (user: string, method = "GET"): Sent => ({
    at: 0,
    method,
    headers: { "x-user": user },
  });
  expect(decide(text, [of("a"), of("a"), of("b"), of("a", "PUT"), of(""), of("")])).toBe("+-++++");
});

test.each([
  ["request.method == 'POST'", { method: "POST" }, { method: "GET" }],
  ["request.method != 'POST'", { method: "GET" }, { method: "POST" }],
  ["request.path == '/toy'", { path: "/toy" }, { path: "/toy?a" }],
  ["request.url_path == '/toy'", { path: "/toy?a" }, { path: "/toys" }],
  ["request.query.contains('a=1')", { path: "/?b&a=1" }, { path: "/a=1" }],
  ["request.url_path.startsWith('/v1/')", { path: "/v1/x" }, { path: "/v1" }],
  ["!request.url_path.startsWith('/health')", { path: "/x" }, { path: "/healthz" }],
  ["request.url_path.endsWith('.js')", { path: "/a.js?x" }, { path: "/a.css" }],
  ["request.url_path.matches('^/[^/]+/Index$')", { path: "/a/Index" }, { path: "/a/b/Index" }],
  ["request.host == 'shop.example'", { host: "shop.example" }, { host: "a.example" }],
  ["request.host.endsWith('.example')", { host: "a.example" }, { host: "example" }],
  ["request.method in ['GET', 'HEAD']", { method: "HEAD" }, { method: "PUT" }],
  ["request.method == 'GET' && request.path == '/a'", { path: "/a" }, { path: "/b" }],
  ["request.path == '/a' || request.path == '/b'", { path: "/b" }, { path: "/c" }],
  ["(request.path == '/a' || true) && request.method == 'GET'", { path: "/c" }, { method: "PUT" }],
  ["request.headers['X-Plan'].lowerAscii() == 'free'", { headers: { "x-plan": "FREE" } }, {}],
  ["request.headers.plan == 'free'", { headers: { plan: "free" } }, { headers: { plan: "x" } }],
  ["request.useragent.contains('curl')", { headers: { "user-agent": "curl/8" } }, {}],
  ["source.remote_address == '192.0.2.7'", { ip: "192.0.2.7" }, { ip: "192.0.2.8" }],
  ['request.path == "/it\'s"', { path: "/it's" }, { path: "/its" }],
] as const)("the predicate %s selects its requests", (predicate, inside: Sent, outside: Sent) => {
  const text = policy(`all: { ${rate(1)}, when: [{ predicate: ${JSON.stringify(predicate)} }] }`);
  expect(openOf(read(text)).filter((line) => !line.includes("HTTPRoute"))).toEqual([]);
  const twice = (sent: Sent): string => decide(text, times(2, { at: 0, ...sent }));
  expect([twice(inside), twice(outside)]).toEqual(["+-", "++"]);
});

test.each([
  "auth.identity.group == 'admin'",
  "'a' in auth.identity.groups",
  "has(request.headers.x)",
  "request.path ==",
  "request.path == '/a' extra",
  "request.url_path.split('/')",
  "request.url_path.matches('(')",
  "§",
])("the predicate %s is a question", (predicate) => {
  const text = policy(`a-b: { ${rate(1)}, when: [{ predicate: ${JSON.stringify(predicate)} }] }`);
  expect(openOf(read(text))[1]).toMatch(
    /a log does not have what it tests; it is taken to be true, and --set when_a_b_1=false/,
  );
  const sent = times(2, { at: 0 });
  expect(decide(text, sent)).toBe("+-");
  expect(decide(text, sent, { values: { when_a_b_1: "false" } })).toBe("++");
});

test("a claim of an identity counts by the address, or by what --set names", () => {
  const text = policy(`all: { ${rate(1)}, counters: [{ expression: auth.identity.userid }] }`);
  const of = (user: string): Sent => ({ at: 0, headers: { "x-user": user } });
  expect(decide(text, [of("a"), of("b")])).toBe("+-");
  const values = { auth_identity_userid: "header:x-user" };
  expect(decide(text, [of("a"), of("b"), of("b")], { values })).toBe("++-");
  const failed = readText(KUADRANT_READER, text, { values: { auth_identity_userid: "?" } });
  expect(failed).toMatchObject({
    problems: [expect.stringContaining("--set auth_identity_userid=? is no source; write all,")],
  });
  const withPort = policy(`all: { ${rate(1)}, counters: [{ expression: source.address }] }`);
  expect(openOf(read(withPort))).toContainEqual(
    expect.stringMatching(/source.address has the port of a connection too/),
  );
});

test("a policy of a route is in place of the defaults of its gateway, which each route counts apart", () => {
  const wide = policy(`all: { ${rate(1)} }`, {
    name: "wide",
    target: GATEWAY,
    block: "defaults: { limits: LIMITS }",
  });
  const narrow = policy(`all: { ${rate(2)} }`, { name: "narrow" });
  const routes = route("r", "/a") + route("s", "/b") + route("t", "/c");
  const sent = ["/a", "/b", "/c"].flatMap((path) => times(3, { at: 0, path }));
  expect(decide(wide + narrow + routes, sent)).toBe("++-+--+--");
  expect(
    decide(
      wide.replace("defaults: { limits: ", "limits: ").replace(" } }\n", " }\n") + narrow + routes,
      sent,
    ),
  ).toBe("++-+--+--");
});

test("overrides of a gateway are in place of the policies of its routes", () => {
  const wide = policy(`all: { ${rate(1)} }`, {
    name: "wide",
    target: GATEWAY,
    block: "overrides: { limits: LIMITS }",
  });
  const narrow = policy(`all: { ${rate(3)} }`, { name: "narrow" });
  expect(decide(wide + narrow + route("r", "/"), times(3, { at: 0 }))).toBe("+--");
});

test("policies that merge do so limit by limit", () => {
  const of = (kind: string): string => {
    const block = `${kind}: { strategy: merge, limits: LIMITS }`;
    const wide = policy(`all: { ${rate(1)} }, post: { ${rate(3)} }`, {
      name: "wide",
      target: GATEWAY,
      block,
    });
    const narrow = policy(`all: { ${rate(2)} }`, { name: "narrow" });
    return wide + narrow + route("r", "/");
  };
  const countsOf = (text: string): string => {
    const request = { address: "", method: "GET", target: "/", host: "", header: () => null };
    return read(text)
      .rules.flatMap(({ id, limit, budgetOf }) =>
        budgetOf(request) === null ? [] : [`${id} ${limit.rate}`],
      )
      .join("; ");
  };
  expect(countsOf(of("defaults"))).toBe("policy wide, limit post 3; policy narrow, limit all 2");
  expect(countsOf(of("overrides"))).toBe("policy wide, limit all 1; policy wide, limit post 3");
});

test("the conditions of a merged policy are those of the closer one, if it has any", () => {
  const when = (method: string): string =>
    `defaults: { strategy: merge, when: [{ predicate: "request.method == '${method}'" }], limits: LIMITS }`;
  const wide = policy(`all: { ${rate(1)} }`, { name: "wide", target: GATEWAY, block: when("PUT") });
  const decideWith = (block: string): string =>
    ["PUT", "POST"]
      .map((method) => {
        const narrow = policy(`own: { ${rate(1)} }`, { name: "narrow", block });
        return decide(wide + narrow + route("r", "/"), times(2, { at: 0, method }));
      })
      .join(" ");
  expect(decideWith("limits: LIMITS")).toBe("+- ++");
  expect(decideWith(when("POST"))).toBe("++ +-");
});

test("a section is a rule of the route, and `when` of a policy is for all of its limits", () => {
  const section = policy(`all: { ${rate(1)} }`, {
    target: "kind: HTTPRoute, name: r, sectionName: first",
  });
  const other = policy(`all: { ${rate(1)} }`, {
    target: "kind: HTTPRoute, name: r, sectionName: second",
  });
  const sent = times(2, { at: 0 });
  expect(decide(section + route("r", "/"), sent)).toBe("+-");
  expect(decide(other + route("r", "/"), sent)).toBe("++");
  const when = policy(`all: { ${rate(1)} }`, {
    block: `defaults: { when: [{ predicate: "request.method == 'PUT'" }], limits: LIMITS }`,
  });
  expect(decide(when, sent)).toBe("++");
  expect(decide(when, times(2, { at: 0, method: "PUT" }))).toBe("+-");
});

test("policies of versions before v1 have other rates, conditions and counters", () => {
  const old = policy(
    `all: { rates: [{ limit: 1, duration: 1, unit: minute }], counters: [request.method], when: [{ selector: request.path, operator: neq, value: /free }], routeSelectors: [] }`,
  ).replace("io/v1", "io/v1beta2");
  const sent = [
    ...times(2, { at: 0, path: "/a" }),
    { path: "/a", method: "PUT" },
    ...times(2, { path: "/free" }),
  ];
  expect(decide(old, sent)).toBe("+-+++");
  expect(openOf(read(old))).toContainEqual(
    expect.stringMatching(/routeSelectors: .*this reader does not know it/),
  );
  const matches = old.replace("operator: neq, value: /free", "operator: matches, value: ^/a");
  expect(decide(matches, times(2, { at: 0, path: "/b" }))).toBe("++");
});

test.each([
  [`all: { rates: [{ limit: many, window: 1m }] }`, "a limit, an integer of at least 0"],
  [
    `all: { rates: [{ limit: 1, window: soon }] }`,
    'a window of at least 1s, such as 10s or 1h30m; got "soon"',
  ],
  [
    `all: { rates: [{ limit: 1, window: 500ms }] }`,
    'a window of at least 1s, such as 10s or 1h30m; got "500ms"',
  ],
])("the limits %s are one problem with their line", (limits, problem) => {
  const failed = readText(KUADRANT_READER, policy(limits));
  expect(isFailure(failed) ? failed.problems : []).toEqual([
    `in.txt:7: a rate of the limit all needs ${problem}`,
  ]);
});

test("a policy has one of limits, defaults and overrides", () => {
  const failed = readText(
    KUADRANT_READER,
    policy("", { block: "limits: LIMITS\n  defaults: { limits: {} }" }),
  );
  expect(isFailure(failed) ? failed.problems : []).toEqual([
    "in.txt:7: the policy p has two of limits, defaults and overrides; keep one",
  ]);
});
