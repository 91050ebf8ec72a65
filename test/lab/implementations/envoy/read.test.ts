// The reader of Envoy's local rate limit: which requests its buckets count, and in which order.
import { expect, test } from "vitest";
import { ENVOY_READER } from "#src/lab/implementations/envoy/read.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { openOf, play, readText, rolesOf, times, type Sent } from "../read-and-play.ts";
import { decidesAsWorld } from "../read-of-translation.ts";
import { bucket, decisions, filter, limitOf, listener, LOCAL, read, routeTo } from "./listener.ts";

test("a bucket is full at first, and is filled continuously", () => {
  const text = listener({ filters: [filter(limitOf({ token_bucket: bucket(4, 2, "1s") }))] });
  expect(openOf(read(text))).toEqual([]);
  const requests = [...times(5, { at: 0 }), ...times(2, { at: 0.6 }), ...times(5, { at: 9 })];
  expect(decisions(text, requests)).toBe("++++-+-++++-");
  expect(read(text).rules[0]!.status).toBe(429);
});

test("a limit needs filter_enabled, and refuses nothing without filter_enforced", () => {
  const of = (config: JsonMap): string =>
    decisions(listener({ filters: [filter({ token_bucket: bucket(1), ...config })] }), [
      ...times(2, { at: 0 }),
    ]);
  const half = { default_value: { numerator: 50 } };
  const all = { default_value: { numerator: 10_000, denominator: "TEN_THOUSAND" } };
  expect(of({})).toBe("++");
  expect(of({ filter_enforced: all })).toBe("++");
  expect(of({ filter_enabled: all })).toBe("++");
  expect(of({ filter_enabled: all, filter_enforced: all })).toBe("+-");
  const text = listener({
    filters: [filter(limitOf({ token_bucket: bucket(1), filter_enabled: half }))],
  });
  expect(openOf(read(text))).toEqual([
    expect.stringContaining("by chance for a part of the requests, and here for all"),
  ]);
  const off = listener({ filters: [filter({ token_bucket: bucket(1) })] });
  expect(rolesOf(read(off)).join("\n")).toContain(
    "filter_enabled is 0 %, so that it limits nothing",
  );
});

test.each([
  [{ use_remote_address: true }, "++-+"],
  [{ use_remote_address: true, skip_xff_append: true }, "++++"],
  [{}, "++++"],
])("x-forwarded-for has the client where Envoy appends it: %j", (manager, expected) => {
  const xff = { header_name: "x-forwarded-for", descriptor_key: "client" };
  const text = listener({
    filters: [
      filter(
        limitOf({
          token_bucket: bucket(9),
          descriptors: [{ entries: [{ key: "client" }], token_bucket: bucket(1) }],
          rate_limits: [{ actions: [{ request_headers: xff }] }],
        }),
      ),
    ],
    manager,
  });
  const from = (ip: string, header: object = {}): Sent => ({ at: 0, ip, ...header });
  const other = { headers: { "x-forwarded-for": "192.0.2.9" } };
  const requests = [
    from("192.0.2.1"),
    from("192.0.2.2"),
    from("192.0.2.1"),
    from("192.0.2.1", other),
  ];
  expect(decisions(text, requests)).toBe(expected);
});

test("the configuration of a route is in place of that of its host and of the filter", () => {
  const own = (size: number): JsonMap => ({
    typed_per_filter_config: { [LOCAL]: limitOf({ token_bucket: bucket(size) }) },
  });
  const off = { typed_per_filter_config: { [LOCAL]: { disabled: true } } };
  const text = listener({
    filters: [filter(limitOf({ token_bucket: bucket(1) }))],
    hosts: [
      {
        name: "shop",
        domains: ["shop.example"],
        routes: [
          routeTo({ path: "/a" }, own(3)),
          routeTo({ path: "/b" }, off),
          routeTo({ prefix: "/" }),
        ],
        ...own(2),
      },
      { name: "all", domains: ["*"], routes: [routeTo({ prefix: "/" })] },
    ],
  });
  const admits = (host: string, path: string): string =>
    decisions(text, times(4, { at: 0, host, path }));
  expect(admits("shop.example", "/a")).toBe("+++-");
  expect(admits("shop.example", "/b")).toBe("++++");
  expect(admits("shop.example", "/c")).toBe("++--");
  expect(admits("other.example", "/a")).toBe("+---");
});

test("routes of a host share its bucket, and two routes with equal limits do not", () => {
  const own = { typed_per_filter_config: { [LOCAL]: limitOf({ token_bucket: bucket(1) }) } };
  const requests = [{ at: 0, path: "/a" }, { path: "/b" }, { path: "/b" }];
  const matches = [routeTo({ prefix: "/a" }), routeTo({ prefix: "/b" })];
  const filters = [filter(null)];
  expect(decisions(listener({ filters, routes: matches, host: own }), requests)).toBe("+--");
  const routes = matches.map((each) => ({ ...each, ...own }));
  expect(decisions(listener({ filters, routes }), requests)).toBe("++-");
});

test("filters are in turn: the second does not count what the first refuses", () => {
  const filters = [
    filter(limitOf({ token_bucket: bucket(2, 2, "1s") })),
    filter(limitOf({ token_bucket: bucket(3) }), `${LOCAL}.second`),
  ];
  const requests = [...times(4, { at: 0 }), ...times(2, { at: 5 })];
  expect(decisions(listener({ filters }), requests)).toBe("++--+-");
  expect(decisions(listener({ filters: filters.toReversed() }), requests)).toBe("++----");
});

test("the slowest descriptor is spent first, then the bucket of all", () => {
  const rate_limits = [
    { actions: [{ request_headers: { header_name: "x-key", descriptor_key: "key" } }] },
    { actions: [{ remote_address: {} }] },
  ];
  const descriptors = [
    { entries: [{ key: "key" }], token_bucket: bucket(3, 3, "1s") },
    { entries: [{ key: "remote_address" }], token_bucket: bucket(2, 2, "60s") },
  ];
  const text = (rest: JsonMap): string =>
    listener({
      filters: [filter(limitOf({ token_bucket: bucket(4), descriptors, ...rest }))],
      host: { rate_limits },
    });
  expect(read(text({})).rules.map(({ id }) => id)).toEqual([
    "all routes, remote_address",
    "all routes, key",
    "all routes",
  ]);
  const headers = { "x-key": "k" };
  const requests = [
    ...times(3, { at: 0, headers }),
    ...["192.0.2.2", "192.0.2.3", "192.0.2.4"].map((ip) => ({ at: 10, ip, headers })),
  ];
  expect(decisions(text({}), requests)).toBe("++-++-");
  const free = { always_consume_default_token_bucket: false };
  expect(decisions(text(free), requests)).toBe("++-+++");
  expect(decisions(text(free), [...requests, ...times(5, { ip: "" })])).toBe("++-+++++++-");
});

test("an entry without a value has a bucket for each of the last 20 values", () => {
  const text = (rest: JsonMap): string =>
    listener({
      filters: [
        filter(
          limitOf({
            rate_limits: [{ actions: [{ remote_address: {} }] }],
            descriptors: [{ entries: [{ key: "remote_address" }], token_bucket: bucket(1) }],
            ...rest,
          }),
        ),
      ],
    });
  const round = (count: number): readonly { readonly ip: string }[] =>
    Array.from({ length: count }, (_, index) => ({ ip: `10.0.0.${index}` }));
  const secondRound = (text: string, count: number): string =>
    decisions(text, [...round(count), ...round(count)]).slice(count);
  expect(secondRound(text({}), 20)).toBe("-".repeat(20));
  expect(secondRound(text({}), 21)).toBe("+".repeat(21));
  expect(secondRound(text({ max_dynamic_descriptors: 30 }), 21)).toBe("-".repeat(21));
});

test("routes alone, with the names of camel case, are read for the filter of their limits", () => {
  const text = `name: r
virtualHosts:
- name: all
  domains: ["*"]
  routes:
  - match: { prefix: / }
    route: { cluster: a }
    typedPerFilterConfig:
      ${LOCAL}:
        tokenBucket: { maxTokens: 1, tokensPerFill: 1, fillInterval: 1s }
        filterEnabled: { defaultValue: { numerator: 100 } }
        filterEnforced: { defaultValue: { numerator: 100 } }
        status: { code: 503 }
`;
  const configuration = read(text);
  expect(configuration.rules.map(({ status }) => status)).toEqual([503]);
  expect(play(configuration, times(2, { at: 0 }))).toBe("+-");
});

test("of two connection managers with limits, the question names the one that requests come by", () => {
  const manager = (name: string, size: number): JsonMap => ({
    stat_prefix: name,
    http_filters: [filter(limitOf({ token_bucket: bucket(size) }))],
  });
  const text = JSON.stringify({ resources: [manager("a", 1), manager("b", 2)] });
  expect(read(text).questions).toMatchObject([{ name: "stat_prefix", value: "a", isSet: false }]);
  expect(openOf(read(text))).toEqual([expect.stringContaining("requests are taken to come by a")]);
  const by = (name: string): string =>
    decisions(text, times(3, { at: 0 }), { values: { stat_prefix: name } });
  expect([by("a"), by("b")]).toEqual(["+--", "++-"]);
  expect(readText(ENVOY_READER, text, { values: { stat_prefix: "c" } })).toMatchObject({
    problems: ["--set stat_prefix=c: there is no such connection manager; there are a, b"],
  });
});

test.each([
  [bucket(0), "token_bucket needs max_tokens and tokens_per_fill, integers of at least 1"],
  [{ max_tokens: 1 }, "token_bucket has no fill_interval of at least 0.05s, such as 1s"],
  [bucket(1, 1, "0.01s"), "token_bucket has no fill_interval of at least 0.05s, such as 1s"],
  [bucket(1, 1, "1m"), "token_bucket has no fill_interval of at least 0.05s, such as 1s"],
])("the bucket %j is one problem", (token_bucket: JsonMap, problem) => {
  const text = listener({ filters: [filter(limitOf({ token_bucket }))] });
  const failed = readText(ENVOY_READER, text);
  expect(isFailure(failed) ? failed.problems : failed).toEqual([
    expect.stringMatching(new RegExp(`^in\\.txt:\\d+: ${problem}$`)),
  ]);
});

test("a descriptor without a bucket is a problem, and so is a file that is no YAML", () => {
  const descriptors = [{ entries: [{ key: "a" }] }];
  const text = listener({ filters: [filter(limitOf({ descriptors }))] });
  expect(readText(ENVOY_READER, text)).toMatchObject({
    problems: [expect.stringContaining("a descriptor has no token_bucket; add one")],
  });
  expect(readText(ENVOY_READER, "a: [")).toMatchObject({
    problems: [expect.stringContaining("this is not YAML")],
  });
});

test("envoy decides as the world that was translated", async () => {
  const compared = await decidesAsWorld(
    { name: "envoy", file: "envoy.json", reader: ENVOY_READER },
    100,
  );
  expect(compared.worlds).toBeGreaterThan(20);
  expect(compared.refused).toBeGreaterThan(100);
});

const byPlan = {
  actions: [{ request_headers: { header_name: "x-plan", descriptor_key: "plan" } }],
};
const ofPlan = (size: number): JsonMap =>
  limitOf({
    token_bucket: bucket(100),
    descriptors: [{ entries: [{ key: "plan" }], token_bucket: bucket(size) }],
  });
const gold = { headers: { "x-plan": "gold" } };

test("a request with two equal descriptors takes two tokens", () => {
  const of = (action: JsonMap): string =>
    decisions(
      listener({
        filters: [filter(ofPlan(4))],
        host: { rate_limits: [byPlan] },
        routes: [
          { match: { prefix: "/" }, route: { cluster: "app", rate_limits: [byPlan], ...action } },
        ],
      }),
      times(5, { at: 0, ...gold }),
    );
  expect(of({})).toBe("++++-");
  expect(of({ include_vh_rate_limits: true })).toBe("++---");
});

test("a route that answers by itself has no descriptors", () => {
  const of = (route: JsonMap): string =>
    decisions(
      listener({ filters: [filter(ofPlan(1))], host: { rate_limits: [byPlan] }, routes: [route] }),
      times(2, { at: 0, ...gold }),
    );
  expect(of(routeTo({ prefix: "/" }))).toBe("+-");
  expect(of({ match: { prefix: "/" }, direct_response: { status: 200 } })).toBe("++");
});

test("a host has no limits for requests that none of its routes has", () => {
  const text = listener({
    filters: [filter(limitOf({ token_bucket: bucket(2) }))],
    routes: [routeTo({ prefix: "/a" })],
    host: { typed_per_filter_config: { [LOCAL]: limitOf({ token_bucket: bucket(1) }) } },
  });
  expect(decisions(text, times(3, { at: 0, path: "/a" }))).toBe("+--");
  expect(decisions(text, times(3, { at: 0, path: "/b" }))).toBe("++-");
});

test("an empty list of rate limits leaves those of the route in place", () => {
  const text = listener({
    filters: [filter({ ...ofPlan(1), rate_limits: [] })],
    host: { rate_limits: [byPlan] },
  });
  expect(decisions(text, times(2, { at: 0, ...gold }))).toBe("+-");
});

test.each([
  [503, 503],
  ["Forbidden", 403],
  ["OK", 429],
  [200, 429],
])("the status %j of a refusal is %i", (code, status) => {
  const config = limitOf({ token_bucket: bucket(1), status: { code } });
  expect(read(listener({ filters: [filter(config)] })).rules[0]!.status).toBe(status);
});

test("of two descriptors the one with all values comes first, and others that overlap are named", () => {
  const of = (...all: readonly JsonMap[]): string =>
    listener({
      filters: [
        filter(
          limitOf({
            token_bucket: bucket(100),
            rate_limits: [
              { actions: [{ remote_address: {} }, { generic_key: { descriptor_value: "g" } }] },
            ],
            descriptors: all,
          }),
        ),
      ],
    });
  const descriptor = (size: number, address: string | null, value: string | null): JsonMap => ({
    entries: [
      { key: "remote_address", ...(address === null ? {} : { value: address }) },
      { key: "generic_key", ...(value === null ? {} : { value }) },
    ],
    token_bucket: bucket(size),
  });
  const apart = of(descriptor(1, null, "g"), descriptor(2, "192.0.2.9", "g"));
  const overlapping = of(descriptor(1, null, "g"), descriptor(2, "192.0.2.9", null));
  expect(decisions(apart, times(3, { at: 0, ip: "192.0.2.9" }))).toBe("++-");
  expect(decisions(apart, times(3, { at: 0, ip: "192.0.2.8" }))).toBe("+--");
  expect(openOf(read(apart))).toEqual([]);
  expect(openOf(read(overlapping))).toEqual([
    expect.stringContaining("a request may have this descriptor and an earlier one"),
  ]);
});
