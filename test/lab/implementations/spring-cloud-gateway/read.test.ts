// The reader of Spring Cloud Gateway: which requests the filter RequestRateLimiter of a route counts.
import { expect, test } from "vitest";
import { SPRING_CLOUD_GATEWAY_READER } from "#src/lab/implementations/spring-cloud-gateway/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openOf, readText, rolesOf, startReading, times, type Sent } from "../read-and-play.ts";
import { byAddress, decidesAsWorld } from "../read-of-translation.ts";

const { read, decisions } = startReading(SPRING_CLOUD_GATEWAY_READER);

/** A filter that counts by the address. */
const limit = (rate: number | string, capacity: number | string, rest = ""): string =>
  `{ name: RequestRateLimiter, args: { redis-rate-limiter.replenishRate: ${rate}, redis-rate-limiter.burstCapacity: ${capacity}, key-resolver: "#{@byAddress}"${rest} } }`;

const gateway = (...lines: readonly string[]): string =>
  `spring:\n  cloud:\n    gateway:\n${lines.map((line) => `      ${line}\n`).join("")}`;

const route = (id: string, predicate: string, filter: string): string =>
  `- { id: ${id}, uri: "http://a", predicates: ["${predicate}"], filters: [${filter}] }`;

const routes = (...all: readonly string[]): string => gateway("routes:", ...all);

const SAMPLE = `server: { port: 8080 }
spring:
  data.redis: { host: redis, password: hunter2 }
  cloud:
    gateway:
      discovery: { locator: { enabled: true } }
      httpclient: { connect-timeout: 1000 }
      default-filters:
        - AddResponseHeader=X-Gateway, 1
        - OurOwn=1
      routes:
        - id: orders
          uri: lb://orders
          predicates:
            - Path=/orders/**
            - Weight=a, 8
          filters:
            - StripPrefix=1
            - name: RequestRateLimiter
              args:
                redis-rate-limiter:
                  replenishRate: \${ORDERS_RATE:10}
                  burstCapacity: 20
                key-resolver: "#{@userKeyResolver}"
                colour: red
        - id: rest
          uri: lb://rest
          predicates: [Path=/**]
          filters: ["RequestRateLimiter=1, 2, #{@byAddress}"]
---
spring: { config.activate.on-profile: dev, cloud.gateway.routes: [] }
`;

test("each field of a realistic file has a role", () => {
  const configuration = read(SAMPLE);
  expect(rolesOf(configuration)).toMatchInlineSnapshot(`
    [
      "1 irrelevant server:",
      "2 read spring:",
      "3 irrelevant data.redis:",
      "4 read cloud:",
      "5 read gateway:",
      "6 read discovery:",
      "6 read locator:",
      "6 not understood enabled: true: routes come from a registry too, with the default filters",
      "7 irrelevant httpclient:",
      "8 read default-filters: [AddResponseHeader=X-Gateway, 1, OurOwn=1]",
      "10 not understood - OurOwn=1: this reader does not know it; if it limits or ends requests, the result is wrong",
      "11 read routes:",
      "12 irrelevant id: orders",
      "13 irrelevant uri: lb://orders",
      "14 read predicates: [Path=/orders/**, Weight=a, 8]",
      "16 question - Weight=a, 8: this reader does not know the predicate Weight; it is taken to be true",
      "17 read filters:",
      "18 irrelevant - StripPrefix=1",
      "19 not understood - name: RequestRateLimiter: this reader does not know the argument colour",
      "19 question name: RequestRateLimiter: the key resolver userKeyResolver is code; remote_address is taken",
      "20 read args:",
      "21 read redis-rate-limiter:",
      "22 read replenishRate: \${ORDERS_RATE:10}",
      "23 read burstCapacity: 20",
      "24 read key-resolver: #{@userKeyResolver}",
      "25 read colour: red",
      "26 irrelevant id: rest",
      "27 irrelevant uri: lb://rest",
      "28 read predicates: [Path=/**]",
      "29 read filters: [RequestRateLimiter=1, 2, #{@byAddress}]",
      "29 not understood - RequestRateLimiter=1, 2, #{@byAddress}: the short form has no rates, so that this limit is missing",
      "31 read spring:",
      "31 question config.activate.on-profile: dev: its document is taken not to be active; --set profile=NAME makes it so",
      "31 irrelevant cloud.gateway.routes: []",
    ]
  `);
  expect(configuration.questions.map(({ name, value }) => `${name}=${value}`)).toEqual([
    "profile=",
    "Weight_of_orders=true",
    "ORDERS_RATE=10",
    "userKeyResolver=remote_address",
  ]);
  expect(configuration.rules.map(({ id, line }) => `${line} ${id}`)).toEqual(["19 route orders"]);
});

test("a bucket has burstCapacity tokens, and whole seconds fill it", () => {
  const text = routes(route("a", "Path=/**", limit(2, 4)));
  const requests = [...times(5, { at: 0 }), ...times(1, { at: 0.9 }), ...times(3, { at: 1 })];
  expect(decisions(text, requests)).toBe("++++--++-");
});

test("requestedTokens makes a limit for longer than a second", () => {
  const text = routes(
    route("a", "Path=/**", limit(1, 60, ", redis-rate-limiter.requestedTokens: 30")),
  );
  expect(read(text).rules[0]).toMatchObject({ limit: { rate: 1, perUs: 1_000_000 }, cost: 30 });
  const requests = [...times(3, { at: 0 }), { at: 29 }, { at: 30 }];
  expect(decisions(text, requests)).toBe("++--+");
  const uneven = text.replace("burstCapacity: 60", "burstCapacity: 65");
  expect(decisions(uneven, [...requests, { at: 54 }, { at: 55 }])).toBe("++-+--+");
});

test("the first route that has a request counts it, in the order of the routes", () => {
  const [narrow, wide] = [
    route("narrow", "Path=/a/**", limit(1, 1)),
    route("wide", "Path=/**", limit(1, 2)),
  ];
  const requests = times(3, { at: 0, path: "/a/x" });
  expect(decisions(routes(narrow, wide), requests)).toBe("+--");
  expect(decisions(routes(wide, narrow), requests)).toBe("++-");
  const ordered = narrow.replace("id: narrow", "id: narrow, order: -1");
  expect(decisions(routes(wide, ordered), requests)).toBe("+--");
});

test("default filters limit each route apart, and a limit of a route is in place of theirs", () => {
  const filters = `default-filters: [${limit(1, 1)}]`;
  const open = (id: string): string => `- { id: ${id}, predicates: ["Path=/${id}"] }`;
  const requests = [...times(2, { at: 0, path: "/a" }), ...times(2, { path: "/b" })];
  expect(decisions(gateway(filters, "routes:", open("a"), open("b")), requests)).toBe("+-+-");
  const both = gateway(filters, "routes:", route("a", "Path=/a", limit(1, 2)));
  expect(decisions(both, times(3, { at: 0, path: "/a" }))).toBe("++-");
  expect(openOf(read(both)).some((line) => line.includes("takes tokens more than once"))).toBe(
    true,
  );
});

test.each([
  ["Path=/a/**", ["/a", "/a/", "/a/b/c"], ["/ab"]],
  ["Path=/a/*", ["/a/b", "/a/b/"], ["/a", "/a/b/c"]],
  ["Path=/a/{id}, /b/{*rest}", ["/a/1", "/b", "/b/1/2"], ["/a/1/2"]],
  ["Path=/v{n:[0-9]{1,2}}/x", ["/v1/x", "/v12/x?q"], ["/v123/x", "/vx/x"]],
  ["Path=/v{n:a(?:,b){0,1}}/x, /y", ["/va/x", "/va,b/x", "/y"], ["/vb/x"]],
  ["Path=/a?c", ["/abc"], ["/ac"]],
  ["Path=/a/**/z", ["/a/z", "/a/b/c/z"], ["/a/b"]],
  ["Query=k", ["/?k=1", "/?k"], ["/?j"]],
  ["Query=k, a.", ["/?k=ab"], ["/?k=abc", "/?k=b"]],
] as const)("the predicate %s has its paths alone", (predicate, inside, outside) => {
  const text = routes(route("a", predicate, limit(1, 1)));
  const isCounted = (path: string): boolean => decisions(text, times(2, { at: 0, path })) === "+-";
  expect(inside.filter(isCounted)).toEqual(inside);
  expect(outside.filter(isCounted)).toEqual([]);
});

test.each([
  ['"Method=GET,POST"', { method: "POST" }, { method: "PUT" }],
  ['"Host=**.shop.example,shop.test"', { host: "A.b.shop.example" }, { host: "a.shop.example:80" }],
  ['"Host=shop.test:80"', { host: "shop.test:80" }, { host: "shop.test" }],
  ['"Host=shop.test"', { host: "shop.test" }, { host: "Shop.test" }],
  ['"Host={sub}.shop.example"', { host: "a.shop.example" }, { host: "a.b.shop.example" }],
  ['"Header=X-Plan, gold|free"', { headers: { "x-plan": "free" } }, { headers: { "x-plan": "x" } }],
  ['"Header=X-Plan"', { headers: { "x-plan": "x" } }, {}],
  ['"Cookie=c, a.*"', { headers: { cookie: "b=1; c=ab" } }, { headers: { cookie: "c=b" } }],
  ['"RemoteAddr=192.0.2.0/24"', { ip: "192.0.2.9" }, { ip: "198.51.100.1" }],
  ["{ name: Path, args: { patterns: [/a, /b] } }", { path: "/b" }, { path: "/c" }],
  ["{ name: Path, args: { pattern: /a } }", { path: "/a" }, { path: "/b" }],
  [
    "{ name: Header, args: { regexp: a., header: X } }",
    { headers: { x: "ab" } },
    { headers: { x: "a" } },
  ],
] as const)("the predicate %s reads the request", (predicate, inside: Sent, outside: Sent) => {
  const text = routes(route("a", "X", limit(1, 1)).replace('"X"', predicate));
  expect(openOf(read(text)).filter((line) => !line.includes("byAddress"))).toEqual([]);
  const twice = (request: Sent): string => decisions(text, times(2, { at: 0, ...request }));
  expect([twice(inside), twice(outside)]).toEqual(["+-", "++"]);
});

test.each(["Path=/a/{n:(}", "Host={n:(}.shop.example", "Query=k, ("])(
  "the predicate %s has a pattern that cannot be read, so it is a question",
  (predicate) => {
    const [first] = openOf(read(routes(route("a", predicate, limit(1, 1)))));
    expect(first).toContain("this reader does not know the predicate");
  },
);

test("a key resolver is code, so what it reads is a question", () => {
  const text = routes(route("a", "Path=/**", limit(1, 1)));
  expect(read(text).questions).toEqual([
    { name: "byAddress", file: "in.txt", line: 5, value: "remote_address", isSet: false },
  ]);
  const requests = [{ at: 0, headers: { "x-key": "a" } }, { headers: { "x-key": "b" } }];
  expect(decisions(text, requests)).toBe("+-");
  expect(decisions(text, requests, { values: { byAddress: "header:x-key" } })).toBe("++");
  expect(readText(SPRING_CLOUD_GATEWAY_READER, text, { values: { byAddress: "?" } })).toMatchObject(
    {
      problems: [expect.stringContaining("--set byAddress=? is no source; write all, none,")],
    },
  );
});

test("placeholders have the value of --set, of the file, or their default", () => {
  const text = (rest: string): string =>
    `limits: { burst: 3 }\n${routes(route("a", "Path=/**", limit(`"${rest}"`, '"${limits.burst}"')))}`;
  expect(decisions(text("${RATE:1}"), times(5, { at: 0 }))).toBe("+++--");
  const values = { RATE: "2" };
  const requests = [...times(4, { at: 0 }), ...times(3, { at: 1 })];
  expect(decisions(text("${RATE:1}"), requests, { values })).toBe("+++-++-");
  expect(readText(SPRING_CLOUD_GATEWAY_READER, text("${RATE}"))).toMatchObject({
    problems: ["in.txt:6: replenishRate of route a is no integer of at least 1"],
  });
});

test("a document of a profile applies if the profile is active, and its routes are in place of others", () => {
  const text = `${routes(route("a", "Path=/**", limit(1, 1)))}---
spring.config.activate.on-profile: prod
spring.cloud.gateway.server.webflux.routes:
  ${route("a", "Path=/**", limit(1, 2))}
`;
  expect(decisions(text, times(3, { at: 0 }))).toBe("+--");
  expect(decisions(text, times(3, { at: 0 }), { values: { profile: "prod" } })).toBe("++-");
  expect(openOf(read(text))).toContainEqual(expect.stringContaining("is taken not to be active"));
});

test("fields and filters that may limit are not dropped in silence", () => {
  const text = `resilience4j.ratelimiter.instances.a.limit-for-period: 5
${gateway("discovery.locator.enabled: true", "something-new: 1", "routes:", route("a", "Path=/", "Throttle=1"))}`;
  expect(openOf(read(text))).toEqual([
    expect.stringMatching(/^1 .*it may limit requests too/),
    expect.stringMatching(/^5 .*routes come from a registry too/),
    expect.stringMatching(/^6 .*something-new: 1: this reader does not know it/),
    expect.stringMatching(/^8 .*- Throttle=1: this reader does not know it/),
  ]);
  const withoutRates = routes(route("a", "Path=/", "{ name: RequestRateLimiter }"));
  expect(openOf(read(withoutRates))).toEqual([
    expect.stringContaining("its rates are in the code, so that this limit is missing"),
  ]);
});

test.each([
  [limit(0, 1), "replenishRate of route a is no integer of at least 1"],
  [limit("many", 1), "replenishRate of route a is no integer of at least 1"],
  [
    limit(1, 1, ", redis-rate-limiter.requestedTokens: 0"),
    "requestedTokens of route a is no integer of at least 1",
  ],
  [
    limit(1, 0),
    "burstCapacity of route a is below the 1 of requestedTokens, so that no request is admitted; raise it",
  ],
])("the filter %s is one problem with its line", (filter, problem) => {
  const failed = readText(SPRING_CLOUD_GATEWAY_READER, routes(route("a", "Path=/", filter)));
  expect(isFailure(failed) ? failed.problems : failed).toEqual([`in.txt:5: ${problem}`]);
});

test("spring-cloud-gateway decides as the world that was translated", async () => {
  const compared = await decidesAsWorld(
    {
      name: "spring-cloud-gateway",
      file: "application.yml",
      reader: SPRING_CLOUD_GATEWAY_READER,
      change: (raw) => byAddress(raw, 7),
      clientsAre: "addresses",
      sends: (key) => ({ ip: key }),
      // The translation selects requests by a predicate in Java; of whole APIs, Path has the same.
      rewrite: (text, { limits }) => {
        let index = 0;
        return text.replaceAll(/\{\s*"name": "Counts",\s*"args": \{[^}]*\}\s*\}/g, () => {
          const { path } = limits[index++]!.places[0]!;
          return JSON.stringify(`Path=${path}/**`);
        });
      },
    },
    60,
  );
  expect(compared.worlds).toBeGreaterThan(20);
  expect(compared.refused).toBeGreaterThan(100);
});

test("a redirect before the limit answers each request, and one after it the admitted ones", () => {
  const redirect = '"RedirectTo=302, http://b"';
  const of = (...filters: readonly string[]): string =>
    decisions(routes(route("a", "Path=/**", filters.join(", "))), times(2, { at: 0 }));
  expect([of(redirect, limit(1, 1)), of(limit(1, 1), redirect)]).toEqual(["++", "+-"]);
});

test("of equal places among the filters, a default filter comes before that of the route", () => {
  const of = (first: string): string =>
    decisions(
      gateway(
        `default-filters: ["${first}", "RedirectTo=302, http://b"]`,
        "routes:",
        route("a", "Path=/**", limit(1, 1)),
      ),
      times(2, { at: 0 }),
    );
  expect(of("StripPrefix=1")).toBe("+-");
  expect(of("RedirectTo=302, http://b")).toBe("++");
});

test.each([
  ["", 429],
  [", status-code: FORBIDDEN", 403],
  [", status-code: 503", 503],
])("a refusal with%s has the status %i", (rest, status) => {
  const text = routes(route("a", "Path=/**", limit(1, 1, rest)));
  expect(read(text).rules[0]!.status).toBe(status);
});

test("SetResponseHeader before the limit makes a refusal an internal error", () => {
  const statusOf = (filter: string): number =>
    read(routes(route("a", "Path=/**", `"${filter}=X, 1", ${limit(1, 1)}`))).rules[0]!.status;
  expect([statusOf("SetResponseHeader"), statusOf("AddResponseHeader")]).toEqual([500, 429]);
});
