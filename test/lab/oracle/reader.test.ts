// The configuration that the oracle reads from the text of a world, without the core.
import { describe, expect, test } from "vitest";
import type { OracleApi, OracleEndpointLimit, OracleLimit } from "#src/lab/oracle/configured.ts";
import { configurationOf } from "#src/lab/oracle/reader.ts";
import { timeIn } from "#src/lab/oracle/text.ts";
import type { Json } from "#src/kit/reading/shape.ts";

type Fields = { readonly [name: string]: Json };

const apiIn = (fields: Fields): OracleApi =>
  [...configurationOf({ apis: { a: fields } }).apis.values()][0]!;
const keyIn = (fields: Fields) => configurationOf({ keys: { k: fields } }).keys.get("k")!;
const policyIn = (fields: Fields) =>
  [...configurationOf({ policies: { p: fields } }).policies.values()][0]!;
const optionsIn = (fields: Fields) => configurationOf({ gateway: fields }).options;

/** "5 in 10 s" */
const inWords = (limit: OracleLimit | null): string =>
  limit === null ? "none" : `${limit.rate} in ${limit.perUs / 1e6} s`;
const entriesInWords = (entries: readonly OracleEndpointLimit[]): readonly string[] =>
  entries.map(({ method, pattern, limit }) => `${method} ${pattern.text} ${inWords(limit)}`);

test.each([
  [1, 1e6],
  [0.001, 1e3],
  ["1s", 1e6],
  ["1m30s", 90e6],
  ["2h1ms", 7_200_001_000],
  ["500ms", 500_000],
  ["1.5s", 1_500_000],
  [undefined, 0],
  [null, 0],
] as const)("the time %j is %j us", (text, us) => {
  expect(timeIn(text)).toBe(us);
});

test.each<[Fields, string]>([
  [{ rate: 5, per: 10 }, "5 in 10 s"],
  [{ rate: 5, per: "1h" }, "5 in 3600 s"],
  [{ rate: -1, per: 1 }, "-1 in 1 s"],
  [{ rate: 0, per: 1 }, "0 in 1 s"],
  [{ rate: 0, per: 0 }, "none"],
  [{}, "none"],
  [{ rate: 5, per: 10, shadow: true }, "none"],
])("the root limit of a key %j is %s (LIM-10, LIM-C10, LIM-C13)", (fields, limit) => {
  expect(inWords(keyIn(fields).limit)).toBe(limit);
});

test("smoothing that is not enabled is null (SMO-8)", () => {
  const smoothing = { threshold: 2, step: 1, trigger: 0.5, delay: "2s" };
  const limit = { rate: 5, per: 1 };
  expect(keyIn({ ...limit, smoothing: { ...smoothing, enabled: true } }).limit?.smoothing).toEqual({
    threshold: 2,
    step: 1,
    trigger: 0.5,
    delayUs: 2e6,
  });
  expect(keyIn({ ...limit, smoothing }).limit?.smoothing).toBeNull();
  expect(keyIn({ ...limit, smoothing: null }).limit?.smoothing).toBeNull();
});

test.each<[Fields, string]>([
  [{ quota_max: 5, quota_renewal_rate: 60 }, "5 in 60 s"],
  [{ quota_max: -1, quota_renewal_rate: 60 }, "-1 in 60 s"],
  [{ quota_max: 5 }, "5 in Infinity s"],
  [{ quota_max: 5, quota_renewal_rate: -1 }, "5 in Infinity s"],
  [{ quota_max: 0, quota_renewal_rate: 60 }, "none"],
  [{}, "none"],
])("the quota of a key %j is %s (LIM-C9)", (fields, words) => {
  const { quota } = keyIn(fields);
  expect(quota === null ? "none" : `${quota.max} in ${quota.renewalUs / 1e6} s`).toBe(words);
});

test.each<[Fields, readonly string[]]>([
  [{ apply_policies: ["a", "b"] }, ["a", "b"]],
  [{ apply_policy_id: "a" }, ["a"]],
  [{ apply_policies: ["a"], apply_policy_id: "b" }, ["a"]],
  [{ apply_policies: [], apply_policy_id: "b" }, ["b"]],
  [{ apply_policies: null }, []],
])("the policies of %j are %j (LIM-C7)", (fields, policies) => {
  expect(keyIn(fields).applyPolicies).toEqual(policies);
});

test.each<[Fields | undefined, readonly string[], boolean]>([
  [undefined, ["acl", "rate_limit", "quota"], false],
  [{}, ["acl", "rate_limit", "quota"], false],
  [{ acl: false, quota: false }, ["acl", "rate_limit", "quota"], false],
  [{ acl: true }, ["acl"], false],
  [{ quota: true }, ["quota"], false],
  [{ rate_limit: true, acl: true }, ["acl", "rate_limit"], false],
  [{ complexity: true }, [], false],
  [{ per_api: true }, ["acl", "rate_limit", "quota"], true],
])("partitions %j supply %j, each API its own: %j (LIM-C14)", (partitions, supplies, isPerApi) => {
  const policy = policyIn(partitions === undefined ? {} : { partitions });
  expect([[...policy.supplies], policy.isPerApi]).toEqual([supplies, isPerApi]);
});

test("count makes keys that are alike, and each is a client of its own", () => {
  const { keys, credentials } = configurationOf({ keys: { k: { count: 3, rate: 1, per: 1 } } });
  expect([...keys].map(([shown, { id }]) => [shown, id])).toEqual([
    ["k-1", "k-1"],
    ["k-2", "k-2"],
    ["k-3", "k-3"],
  ]);
  expect(credentials.get("k")).toEqual(["k-1", "k-2", "k-3"]);
});

test("a key's rights: by name, by API with its limit, quota and endpoints (LIM-6, EPT-C5)", () => {
  const limit = { rate: 2, per: 1 };
  const { accessRights } = keyIn({
    apis: ["plain"],
    access_rights: {
      orders: {
        limit: { ...limit, quota_max: 3 },
        endpoints: [
          {
            path: "/x/*",
            methods: [
              { name: "get", limit },
              { name: "PUT", limit: { rate: 0, per: 0 } },
            ],
          },
        ],
      },
    },
  });
  expect([...accessRights.keys()]).toEqual(["plain", "orders"]);
  const orders = accessRights.get("orders")!;
  expect(inWords(orders.limit)).toBe("2 in 1 s");
  expect(orders.quota?.max).toBe(3);
  expect(entriesInWords(orders.endpoints)).toEqual(["GET /x/* 2 in 1 s"]);
  expect(inWords(accessRights.get("plain")!.limit)).toBe("none");
});

test.each<[Fields, boolean]>([
  [{ hmac_enabled: true }, true],
  [{ hmac_enabled: false }, false],
  [{ certificate: "abc" }, true],
  [{ certificate: "" }, false],
  [{}, false],
])("a key with %j has restrictions that are not enforced: %j (MGT-C8)", (fields, isUnenforced) => {
  expect(keyIn(fields).isUnenforced).toBe(isUnenforced);
});

describe("an API", () => {
  const limit = { rate: 2, per: 10 };
  const entries = [
    { path: "/a", method: "get", ...limit },
    { path: "/b", method: "GET", ...limit, enabled: false },
    { path: "/c", method: "GET", ...limit, disabled: true },
    { path: "/d/*", method: "POST", ...limit, enabled: true, disabled: false },
    { path: "/e", method: "POST", rate: 0, per: 0 },
  ];
  const on = ["GET /a 2 in 10 s", "POST /d/* 2 in 10 s"];

  test("in short", () => {
    const api = apiIn({ listen: "/a/", ...limit, endpoints: entries, keyless: true });
    expect(api).toMatchObject({ id: "a", listenPath: "/a", keyless: true, active: true });
    expect(inWords(api.globalRateLimit)).toBe("2 in 10 s");
    expect(entriesInWords(api.endpoints)).toEqual(on);
  });

  test.each([false, true])("in the classic form, wrapped: %j (EPT-2, EPT-3)", (isWrapped) => {
    const definition = {
      api_id: "other",
      use_keyless: true,
      disable_rate_limit: true,
      proxy: { listen_path: "/a/" },
      global_rate_limit: limit,
      extended_paths: { rate_limit: entries.slice(0, 3) },
      version_data: { versions: { Default: { extended_paths: { rate_limit: entries.slice(3) } } } },
    };
    const api = apiIn(isWrapped ? { definition } : definition);
    expect(api).toMatchObject({
      id: "other",
      listenPath: "/a",
      keyless: true,
      disableRateLimit: true,
    });
    expect(inWords(api.globalRateLimit)).toBe("2 in 10 s");
    expect(entriesInWords(api.endpoints)).toEqual(on);
  });

  test.each<[Fields, string]>([
    [{ listen: "/a", extended_paths: { rate_limit: entries } }, "a"],
    [{ listen: "/a", id: "other", extended_paths: { rate_limit: entries } }, "other"],
    [{ listen: "/a", definition: { extended_paths: { rate_limit: entries } } }, "a"],
    [
      {
        listen: "/a",
        version_data: { versions: { v: { extended_paths: { rate_limit: entries } } } },
      },
      "a",
    ],
  ])("in the classic form, recognised by any of its fields: %j", (written, id) => {
    const api = apiIn(written);
    expect(api).toMatchObject({ id, listenPath: "/a" });
    expect(entriesInWords(api.endpoints)).toEqual(on);
  });

  const operation = (rate: number, enabled = true): Fields => ({
    rateLimit: { enabled, rate, per: "10s" },
  });
  const openapi = {
    openapi: "3.0.3",
    paths: {
      "/{any}": { get: { operationId: "any" } },
      "/x/{id}": { get: { operationId: "one" } },
      "/x/{id}/y": { get: { operationId: "part" }, put: { operationId: "off" } },
      "/x/list": { get: { operationId: "list" }, head: { operationId: "unlimited" } },
    },
    "x-gw-api-gateway": {
      info: { id: "other" },
      server: { listenPath: { value: "/a/" }, authentication: { enabled: false } },
      upstream: operation(9),
      middleware: {
        global: { skipRateLimit: true },
        operations: {
          any: operation(1),
          one: operation(2),
          part: operation(3),
          list: operation(4),
          off: operation(5, false),
        },
      },
    },
  };

  test.each([false, true])("in OAS, wrapped: %j (EPT-4, EPT-6, EPT-C3)", (isWrapped) => {
    const api = apiIn(isWrapped ? { openapi } : openapi);
    expect(api).toMatchObject({
      id: "other",
      listenPath: "/a",
      keyless: true,
      disableRateLimit: true,
    });
    expect(inWords(api.globalRateLimit)).toBe("9 in 10 s");
    expect(entriesInWords(api.endpoints)).toEqual([
      "GET /x/list 4 in 10 s",
      "GET /x/{id}/y 3 in 10 s",
      "GET /x/{id} 2 in 10 s",
      "GET /{any} 1 in 10 s",
    ]);
  });

  test("key_by is read from the definition or its wrapping; a header matches in any case (LIM-C17)", () => {
    const definition = { proxy: { listen_path: "/a/" } };
    const key_by = { header: "X-Tenant" };
    expect(apiIn({ listen: "/a" }).keyBy).toBeNull();
    for (const api of [
      { listen: "/a", key_by },
      { definition, key_by },
      { definition: { ...definition, key_by } },
      { ...definition, key_by },
      { openapi, key_by },
      { openapi: { ...openapi, key_by } },
      { ...openapi, key_by },
    ])
      expect(apiIn(api).keyBy).toEqual({ header: "x-tenant" });
    expect(apiIn({ listen: "/a", key_by: "credential" }).keyBy).toBe("credential");
  });
});

test("options that are not there are the defaults", () => {
  expect(optionsIn({})).toMatchObject({
    algorithm: null,
    drlThreshold: 0,
    fixedWindowStart: "first_request",
    sentinelMark: "sliding",
    burst: 1,
    limitOrder: "api_first",
    policyBudgets: "merged",
    storeTimeoutUs: 100_000,
    onStoreError: "local",
    normalizePath: true,
    sameness: { letterCase: false, trailingSlash: false, pathParameters: false, head: false },
    keyBy: "credential",
    ipv6Prefix: 64,
  });
});

test("options are read by their names", () => {
  expect(
    optionsIn({
      algorithm: "sliding-log",
      drl_threshold: 2,
      fixed_window_start: "clock",
      sentinel_mark: "fixed",
      burst: "rate",
      limit_order: "key_first",
      policy_budgets: "apart",
      store_timeout: "50ms",
      on_store_error: "deny",
      normalize_path: false,
      endpoint_matching: { letter_case: "same", head: "same", trailing_slash: "exact" },
      key_by: "ip",
      ipv6_prefix: 48,
    }),
  ).toMatchObject({
    algorithm: "sliding_log",
    drlThreshold: 2,
    fixedWindowStart: "clock",
    sentinelMark: "fixed",
    burst: "rate",
    limitOrder: "key_first",
    policyBudgets: "apart",
    storeTimeoutUs: 50_000,
    onStoreError: "deny",
    normalizePath: false,
    sameness: { letterCase: true, trailingSlash: false, pathParameters: false, head: true },
    keyBy: "ip",
    ipv6Prefix: 48,
  });
});

test("a world refers to an API or a policy by its id, or else by its name", () => {
  const { policies, keys } = configurationOf({
    apis: {
      orders: { api_id: "a1", proxy: { listen_path: "/orders" } },
      mail: { listen: "/mail" },
    },
    policies: {
      gold: { id: "p1", apis: ["orders"] },
      first: { id: "second", access_rights: { mail: null, a1: null } },
      second: { id: "p3" },
    },
    keys: {
      listed: { apply_policies: ["gold", "p1", "second", "lost"] },
      single: { apply_policy_id: "gold", apis: ["orders", "gone"] },
    },
  });
  const rightsOf = ({ accessRights }: { readonly accessRights: ReadonlyMap<string, unknown> }) => [
    ...accessRights.keys(),
  ];
  expect([...policies].map(([id, policy]) => [id, rightsOf(policy)])).toEqual([
    ["p1", ["a1"]],
    ["second", ["mail", "a1"]],
    ["p3", []],
  ]);
  expect(keys.get("listed")!.applyPolicies).toEqual(["p1", "p1", "second", "lost"]);
  expect(keys.get("single")!.applyPolicies).toEqual(["p1"]);
  expect(rightsOf(keys.get("single")!)).toEqual(["a1", "gone"]);
});
