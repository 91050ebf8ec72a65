import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { configurationOf } from "./limiters.ts";

const entry = (rate: number, shadow: boolean) => ({
  path: "/a",
  method: "GET",
  rate,
  per: 1,
  shadow,
});
const oas = {
  openapi: {
    openapi: "3.0.3",
    info: { title: "o", version: "1" },
    paths: { "/a": { get: { operationId: "a" } } },
    "x-gw-api-gateway": {
      server: { listenPath: { value: "/o" } },
      upstream: { rateLimit: { rate: 7, per: "1s", shadow: true } },
      middleware: { operations: { a: { rateLimit: { rate: 8, per: "1s", shadow: true } } } },
    },
  },
};

test("a configuration without shadows has no second half", () => {
  const { shadow } = configurationOf({
    apis: { a: { listen: "/a", rate: 1, per: 1, shadow: false } },
    policies: { gold: { rate: 1, per: 1, apis: ["a"] } },
    keys: { one: { access_rights: { a: { limit: { rate: 1, per: 1 } } } } },
  });
  expect(shadow).toBeNull();
});

test.each([
  ["the short form", { listen: "/o", rate: 7, per: 1, shadow: true, endpoints: [entry(8, true)] }],
  [
    "a classic definition",
    {
      proxy: { listen_path: "/o" },
      global_rate_limit: { rate: 7, per: 1, shadow: true },
      extended_paths: { rate_limit: [entry(8, true)] },
    },
  ],
  ["an OAS document", oas],
])("shadows of an API: %s", (_, api) => {
  const found = configurationOf({ apis: { o: api } });
  expect(found.apis.get("o")).toMatchObject({ globalRateLimit: null, endpoints: [] });
  const shadow = found.shadow?.apis.get("o");
  expect(shadow?.globalRateLimit).toEqual(limitOf(7, 1));
  expect(shadow?.endpoints.map(({ limit }) => limit)).toEqual([limitOf(8, 1)]);
});

test("shadows of policies and keys, at the root, for one API and for one endpoint", () => {
  const endpoints = (shadow: boolean) => [
    { path: "/a", methods: [{ name: "GET", limit: { rate: 3, per: 1, shadow } }] },
  ];
  const owner = {
    rate: 1,
    per: 1,
    shadow: true,
    quota_max: 9,
    access_rights: {
      o: { limit: { rate: 2, per: 1, shadow: true }, endpoints: endpoints(true) },
      p: { limit: { rate: 4, per: 1 }, endpoints: endpoints(false) },
    },
  };
  const apis = { o: { listen: "/o" }, p: { listen: "/p" } };
  const found = configurationOf({ apis, policies: { one: owner }, keys: { one: owner } });
  const endpoint = { method: "GET", pattern: { text: "/a", pieces: ["/a"] }, limit: limitOf(3, 1) };
  for (const [enforced, shadow] of [
    [found.policies.get("one"), found.shadow?.policies.get("one")],
    [found.keys.get("one"), found.shadow?.keys.get("one")],
  ]) {
    expect(enforced?.limit).toBeNull();
    expect(enforced?.quota?.max).toBe(9);
    expect(enforced?.accessRights?.get("o")).toMatchObject({ limit: null, endpoints: [] });
    expect(enforced?.accessRights?.get("p")?.limit).toEqual(limitOf(4, 1));
    expect(shadow?.limit).toEqual(limitOf(1, 1));
    expect(shadow?.quota).toBeNull();
    expect(shadow?.accessRights?.get("o")?.limit).toEqual(limitOf(2, 1));
    expect(shadow?.accessRights?.get("o")?.endpoints).toEqual([endpoint]);
    expect(shadow?.accessRights?.get("p")).toMatchObject({ limit: null, endpoints: [] });
  }
});

test.each<[string, object]>([
  ["one API", { limit: { rate: 2, per: 1, shadow: true } }],
  [
    "one endpoint",
    {
      endpoints: [
        { path: "/a", methods: [{ name: "GET", limit: { rate: 3, per: 1, shadow: true } }] },
      ],
    },
  ],
])("a shadow for %s alone is enough for a second half", (_, right) => {
  const apis = { o: { listen: "/o" } };
  const keys = { one: { access_rights: { o: right } }, two: { rate: 5, per: 1 } };
  const { shadow } = configurationOf({ apis, keys });
  expect(shadow?.keys.get("one")?.accessRights?.has("o")).toBe(true);
  expect(shadow?.keys.get("two")).toMatchObject({ limit: null, accessRights: null });
});

test("an enforced entry behind a shadow for the same is no repetition", () => {
  const { problems } = readConfiguration({
    apis: { o: { listen: "/o", endpoints: [entry(1, true), entry(2, false)] } },
  });
  expect(problems).toEqual([]);
});

test.each([
  ["sentinel", { algorithm: "sentinel" }],
  ["non_transactional", { algorithm: "non_transactional" }],
  ["by its flag", { enable_sentinel_rate_limiter: true, drl_threshold: 1 }],
])("a shadow limit uses no algorithm that only saves clients time: %s", (_, gateway) => {
  const apis = { o: { listen: "/o", rate: 7, per: 1, shadow: true } };
  const { shadow } = configurationOf({ apis, gateway });
  expect(shadow?.options.algorithm ?? "sliding_log").toBe("sliding_log");
  expect(shadow?.options).toMatchObject({
    enableSentinelRateLimiter: false,
    enableNonTransactionalRateLimiter: false,
    drlThreshold: 0,
  });
});
