// Matchers of Envoy: which requests a route and a descriptor have.
import { expect, test } from "vitest";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { openOf, times, type Sent } from "../read-and-play.ts";
import { bucket, decisions, filter, limitOf, listener, LOCAL, read, routeTo } from "./listener.ts";

const own = { typed_per_filter_config: { [LOCAL]: limitOf({ token_bucket: bucket(1) }) } };

/** Whether the second of two equal requests is refused, so that the route has them. */
const hasRoute = (match: JsonMap, request: Sent): boolean => {
  const routes = [routeTo(match, own), routeTo({ prefix: "/" })];
  return (
    decisions(listener({ filters: [filter(null)], routes }), times(2, { at: 0, ...request })) ===
    "+-"
  );
};

test.each([
  [{ prefix: "/a" }, ["/a", "/ab?x=1"], ["/A", "/"]],
  [{ path: "/a" }, ["/a", "/a?x=1"], ["/a/", "/ab"]],
  [{ path_separated_prefix: "/a" }, ["/a", "/a/b"], ["/ab"]],
  [{ safe_regex: { regex: "/v[0-9]+/.*" } }, ["/v1/x", "/v12/?y"], ["/x/v1/x", "/v1"]],
  [{ prefix: "/a", case_sensitive: false }, ["/Ab"], ["/b"]],
  [{ prefix: "/", query_parameters: [{ name: "k" }] }, ["/?k=1", "/?k"], ["/?j=1"]],
  [
    { prefix: "/", query_parameters: [{ name: "k", string_match: { prefix: "a" } }] },
    ["/?k=ab"],
    ["/?k=b", "/"],
  ],
] as const)("the route %j has its paths alone", (match, inside, outside) => {
  expect(inside.filter((path) => hasRoute(match as unknown as JsonMap, { path }))).toEqual(inside);
  expect(outside.filter((path) => hasRoute(match as unknown as JsonMap, { path }))).toEqual([]);
});

test.each([
  [{ name: "x", string_match: { exact: "a" } }, "a", "b", false],
  [{ name: "x", string_match: { suffix: "A", ignore_case: true } }, "ba", "ab", false],
  [{ name: "x", string_match: { contains: "a" } }, "bab", "b", false],
  [{ name: "x", string_match: { safe_regex: { regex: "a+" } } }, "aa", "ab", false],
  [{ name: "x", exact_match: "a" }, "a", "b", false],
  [{ name: "x", prefix_match: "a" }, "ab", "b", false],
  [{ name: "x", safe_regex_match: { regex: "a" } }, "a", "aa", false],
  [{ name: "x", string_match: { exact: "a" }, invert_match: true }, "b", "a", false],
  [
    { name: "x", exact_match: "a", invert_match: true, treat_missing_header_as_empty: true },
    "b",
    "a",
    true,
  ],
  [{ name: "x", present_match: true }, "a", null, false],
  [{ name: "x" }, "a", null, false],
  [{ name: "x", present_match: true, invert_match: true }, null, "a", true],
  [{ name: "x", present_match: false }, null, "a", true],
] as const)("the header match %j", (match, inside, outside, hasMissing) => {
  const headers = [match] as unknown as JsonMap[];
  const holds = (value: string | null): boolean =>
    hasRoute({ prefix: "/", headers }, { headers: value === null ? {} : { x: value } });
  expect([holds(inside), holds(outside), holds(null)]).toEqual([true, false, hasMissing]);
});

test("pseudo-headers are the method, the path with its query, and the host", () => {
  const holds = (name: string, exact: string, request: Sent): boolean =>
    hasRoute({ prefix: "/", headers: [{ name, string_match: { exact } }] }, request);
  expect(holds(":method", "PUT", { method: "PUT" })).toBe(true);
  expect(holds(":path", "/a?b", { path: "/a?b" })).toBe(true);
  expect(holds(":authority", "h", { host: "h" })).toBe(true);
});

test("an exact domain comes before the longest suffix, and this before a prefix and all", () => {
  const host = (domains: readonly string[], size: number): JsonMap => ({
    name: `h${size}`,
    domains,
    routes: [routeTo({ prefix: "/" })],
    typed_per_filter_config: { [LOCAL]: limitOf({ token_bucket: bucket(size) }) },
  });
  const hosts = [
    host(["*"], 1),
    host(["*.example"], 2),
    host(["*.b.example"], 3),
    host(["a.b.*"], 4),
    host(["x.b.example", "y.example"], 5),
  ];
  const sizeAt = (name: string, manager: JsonMap = {}): number => {
    const text = listener({ filters: [filter(null)], hosts, manager });
    return decisions(text, times(6, { at: 0, host: name })).indexOf("-");
  };
  const names = ["Y.example", "x.b.example", "a.b.example", "c.example", "a.b.test", "test"];
  expect(names.map((name) => sizeAt(name))).toEqual([5, 5, 3, 2, 4, 1]);
  expect(sizeAt("x.b.example:80")).toBe(1);
  expect(sizeAt("x.b.example:80", { strip_any_host_port: true })).toBe(5);
});

const ACTION_CASES: readonly (readonly [action: JsonMap, entry: JsonMap, request: Sent])[] = [
  [{ remote_address: {} }, { key: "remote_address", value: "192.0.2.1" }, {}],
  [
    { masked_remote_address: { v4_prefix_mask_len: 24 } },
    { key: "masked_remote_address", value: "192.0.2.0/24" },
    {},
  ],
  [
    { request_headers: { header_name: "X-Key", descriptor_key: "k" } },
    { key: "k", value: "a" },
    { headers: { "x-key": "a" } },
  ],
  [
    { query_parameters: { query_parameter_name: "q", descriptor_key: "k" } },
    { key: "k", value: "a" },
    { path: "/?q=a" },
  ],
  [{ generic_key: { descriptor_value: "a" } }, { key: "generic_key", value: "a" }, {}],
  [{ generic_key: { descriptor_value: "a", descriptor_key: "k" } }, { key: "k", value: "a" }, {}],
  [{ destination_cluster: {} }, { key: "destination_cluster", value: "app" }, {}],
  [
    {
      header_value_match: {
        descriptor_value: "a",
        headers: [{ name: ":method", exact_match: "PUT" }],
      },
    },
    { key: "header_match", value: "a" },
    { method: "PUT" },
  ],
  [
    {
      header_value_match: {
        descriptor_key: "k",
        descriptor_value: "a",
        expect_match: false,
        headers: [{ name: ":method", exact_match: "PUT" }],
      },
    },
    { key: "k", value: "a" },
    { method: "GET" },
  ],
  [
    {
      query_parameter_value_match: {
        descriptor_value: "a",
        query_parameters: [{ name: "q", string_match: { exact: "1" } }],
      },
    },
    { key: "query_match", value: "a" },
    { path: "/?q=1" },
  ],
];

test.each(ACTION_CASES)("the action %j has the entry %j", (action, entry, request) => {
  const text = listener({
    filters: [filter(limitOf({ descriptors: [{ entries: [entry], token_bucket: bucket(1) }] }))],
    routes: [
      routeTo({ prefix: "/" }, { route: { cluster: "app", rate_limits: [{ actions: [action] }] } }),
    ],
  });
  expect(openOf(read(text))).toEqual([]);
  expect(decisions(text, times(2, { at: 0, ...request }))).toBe("+-");
  const other: Sent = {
    ip: "198.51.100.1",
    path: "/?q=2",
    method: request.method === "PUT" ? "GET" : "PUT",
  };
  const isFixed = "generic_key" in action || "destination_cluster" in action;
  expect(decisions(text, times(2, { at: 0, ...other }))).toBe(isFixed ? "+-" : "++");
});

test("a request without a header has no descriptor, unless its entry may be skipped", () => {
  const text = (skip_if_absent: boolean): string =>
    listener({
      filters: [
        filter(
          limitOf({
            rate_limits: [
              {
                actions: [
                  { generic_key: { descriptor_value: "a" } },
                  { request_headers: { header_name: "x", descriptor_key: "x", skip_if_absent } },
                ],
              },
            ],
            descriptors: [
              { entries: [{ key: "generic_key", value: "a" }], token_bucket: bucket(1) },
              {
                entries: [{ key: "generic_key", value: "a" }, { key: "x" }],
                token_bucket: bucket(2),
              },
            ],
          }),
        ),
      ],
    });
  expect(decisions(text(false), times(2, { at: 0 }))).toBe("++");
  expect(decisions(text(true), times(2, { at: 0 }))).toBe("+-");
  expect(decisions(text(true), times(3, { at: 0, headers: { x: "1" } }))).toBe("++-");
});

test("limits of the host apply to routes without limits, or to all if they are included", () => {
  const limitBy = (value: string): JsonMap => ({
    actions: [{ generic_key: { descriptor_value: value } }],
  });
  const descriptors = ["host", "route"].map((value) => ({
    entries: [{ key: "generic_key", value }],
    token_bucket: bucket(value === "host" ? 1 : 2),
  }));
  const admits = (own: readonly JsonMap[], rest: JsonMap, config: JsonMap): string => {
    const route = { cluster: "app", rate_limits: own, ...rest };
    const text = listener({
      filters: [filter(limitOf({ descriptors, ...config }))],
      routes: [routeTo({ prefix: "/" }, { route })],
      host: { rate_limits: [limitBy("host")] },
    });
    return decisions(text, times(3, { at: 0 }));
  };
  const own = [limitBy("route")];
  expect(admits([], {}, {})).toBe("+--");
  expect(admits(own, {}, {})).toBe("++-");
  expect(admits(own, { include_vh_rate_limits: true }, {})).toBe("+--");
  expect(admits(own, {}, { vh_rate_limits: "INCLUDE" })).toBe("+--");
  expect(admits([], {}, { vh_rate_limits: "IGNORE" })).toBe("+++");
});

test.each([
  [{ connect_matcher: {} }, "this reader knows no such path"],
  [{ prefix: "/", grpc: {} }, "the route is taken to have such requests"],
  [{ prefix: "/", headers: [{ name: "x", range_match: {} }] }, "does not know this match"],
  [{ safe_regex: { regex: "(" } }, "this reader knows no such path"],
])("the match %j is not dropped in silence", (match: JsonMap, consequence) => {
  const open = openOf(read(listener({ filters: [filter(null)], routes: [routeTo(match, own)] })));
  expect(open).toEqual([expect.stringContaining(consequence)]);
});
