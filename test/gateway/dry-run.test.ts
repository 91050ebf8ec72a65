import { describe, expect, test } from "vitest";
import { initialHealth } from "#src/limiter/core/health.ts";
import { REMOTE_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { updateHealth } from "#src/limiter/core/steps.ts";
import { dryRun, type DryRun, type DryRunRequest } from "#src/gateway/dry-run.ts";
import { atUs } from "../limiter/core/limiters.ts";
import { begin, dryRunNow, gatewayOf, request, send, type GatewayRig } from "./gateways.ts";

const world = {
  apis: {
    orders: {
      listen: "/orders",
      rate: 5,
      per: 10,
      endpoints: [
        { method: "GET", path: "/vip", rate: 9, per: 10 },
        { method: "POST", path: "/vip", rate: 8, per: 10 },
        { method: "GET", path: "/v{any}", rate: 7, per: 10 },
      ],
    },
    free: { listen: "/free", disable_rate_limit: true, rate: 4, per: 10 },
    closed: { listen: "/closed" },
    gone: { listen: "/gone", active: false },
  },
  policies: {
    gold: { rate: 3, per: 1, apis: ["orders", "free"] },
    silver: { rate: 2, per: 1, apis: ["orders"] },
    bronze: { rate: 3, per: 1, apis: ["free"] },
  },
  keys: {
    alice: { rate: 2, per: 10, quota_max: 3, quota_renewal_rate: 60, apis: ["orders", "free"] },
    bob: { rate: 50, per: 1, apply_policies: ["silver", "gold", "bronze"] },
    root: { rate: 6, per: 1, access_rights: { orders: { limit: { rate: 4, per: 1 } } } },
    frozen: { is_inactive: true, apis: ["orders"] },
    slow: {
      rate: 1,
      per: 10,
      throttle_interval: 2,
      throttle_retry_limit: 3,
      apis: ["orders"],
    },
  },
  gateway: { algorithm: "fixed_window" },
};

const TWO_QUOTAS = {
  apis: { orders: { listen: "/orders", key_by: { header: "X-Client" } } },
  keys: {
    carol: {
      quota_max: 5,
      quota_renewal_rate: 100,
      access_rights: { orders: { limit: { quota_max: 3, quota_renewal_rate: 100 } } },
    },
  },
};

const input = (key: string | null, path = "/orders", method = "GET") => ({
  method,
  path,
  key,
  credential: null,
});

const at = (on: GatewayRig, seconds: number, ...what: Parameters<typeof input>): DryRun => {
  on.seconds = seconds;
  return dryRunNow(on.gateway, input(...what));
};

/** Each limit that is not met, and why. */
const whys = ({ notMatched }: DryRun): Record<string, string> =>
  Object.fromEntries(notMatched.map(({ where, reason }) => [where, reason]));

describe("what a request would get (MGT-C11)", () => {
  test.each([
    ["an unknown path", input("alice", "/nothing"), 404, "no API that is active listens at"],
    ["an API that is off", input("alice", "/gone"), 404, "there is /orders, /free, /closed"],
    ["no key", input(null), 401, "wants a key"],
    ["an unknown key", input("mallory"), 403, "no key has this credential"],
    ["an inactive key", input("frozen"), 403, "inactive"],
    ["a key without access", input("alice", "/closed"), 403, "no access right for API closed"],
    ["a path that is none", input("alice", "/orders/a%2fb"), 400, "encoded slash"],
  ])("%s", (_, what, status, why) => {
    const found = dryRunNow(gatewayOf(world).gateway, what);
    expect(found).toMatchObject({ passes: false, status, store: "unused", matched: [] });
    expect(found.why).toContain(why);
  });

  test("every budget in its present state, in the order of evaluation", () => {
    const on = gatewayOf(world);
    send(on, 1, request("alice"));
    const found = at(on, 2, "alice");
    expect(found).toMatchObject({ passes: true, status: null, reason: null, store: "here" });
    expect(found.matched).toMatchObject([
      { level: "api", algorithm: "fixed_window", limit: 5, remaining: 4, refuses: false },
      { level: "key", budget: "key/10000000us|key:alice", limit: 2, remaining: 1 },
      { level: "quota", limit: 3, remaining: 2, per: 60, allowance: null },
    ]);
    expect(found.matched[2]!.reset).toBe(atUs(61) / 1_000_000);
  });

  test("a refusal names its budget, its response and how long it lasts", () => {
    const on = gatewayOf(world);
    send(on, 0, request("alice"));
    send(on, 0, request("alice"));
    const found = at(on, 4, "alice");
    expect(found).toMatchObject({ passes: false, status: 429, reason: "rate", retryAfter: 6 });
    expect(found).toMatchObject({ message: "Rate Limit Exceeded", waits: null });
    expect(found.why).toBe("key/10000000us|key:alice has no room left");
    expect(found.matched.map(({ refuses }) => refuses)).toEqual([false, true, false]);
    expect(found.matched[1]!.retryAfter).toBe(6);
  });

  test("a throttled key would wait first (LIM-C9)", () => {
    const on = gatewayOf(world);
    expect(at(on, 0, "slow")).toMatchObject({ passes: true, waits: null });
    begin(on, 0, request("slow"));
    expect(at(on, 1, "slow")).toMatchObject({ status: 429, waits: { interval: 2, times: 3 } });
  });

  test("spends nothing, emits nothing and returns the same again", () => {
    const on = gatewayOf({
      ...world,
      keys: { ...world.keys, half: { apply_policies: ["gold", "lost"] } },
    });
    for (const key of ["alice", "half"]) {
      const first = at(on, 0, key);
      for (let i = 0; i < 20; i++) expect(at(on, 0, key)).toEqual(first);
    }
    expect(on.events).toEqual([]);
    send(on, 0, request("half"));
    expect(on.events.map(({ event }) => event)).toEqual(["PolicyMissing"]);
  });

  test("a credential finds its key, and is in no result", () => {
    const raw = { ...world, keys: { secret: { ...world.keys.alice, key_id: "public" } } };
    const { gateway } = gatewayOf(raw);
    const found = dryRunNow(gateway, { ...input(null), credential: "secret" });
    expect(found.key).toBe("public");
    expect(JSON.stringify(found)).not.toContain("secret");
    expect(dryRunNow(gateway, input("public"))).toEqual(found);
    expect(dryRunNow(gateway, input("secret")).status).toBe(403);
  });
});

test("shadows are shown apart, and refuse nothing (LIM-C13)", () => {
  const keys = { alice: { apis: ["orders"], rate: 1, per: 10, shadow: true } };
  const on = gatewayOf({ ...world, keys });
  send(on, 0, request("alice"));
  const found = at(on, 1, "alice");
  expect(found).toMatchObject({ passes: true, matched: [{ level: "api" }] });
  expect(found.shadows).toMatchObject([
    { budget: "shadow/key/10000000us|key:alice", refuses: true, remaining: 0, retryAfter: 9 },
  ]);
  expect(at(on, 1, "alice")).toEqual(found);
});

describe("which limits it would not meet, and why", () => {
  test("endpoints of an API", () => {
    const found = at(gatewayOf(world), 0, "alice", "/orders/vip");
    expect(found.matched[0]!.budget).toContain("GET /vip");
    expect(whys(found)).toEqual({
      "API orders, endpoint POST /vip": "other_method",
      "API orders, endpoint GET /v{any}": "behind_another_entry",
      "API orders, global_rate_limit": "less_specific",
      "the key with its policies, limit for API orders": "absent",
    });
    expect(whys(at(gatewayOf(world), 0, "alice", "/orders/b"))).toMatchObject({
      "API orders, endpoint GET /vip": "other_path",
    });
  });

  test.each([
    ["in short", { listen: "/orders" }, "endpoints"],
    ["of a classic definition", { proxy: { listen_path: "/orders" } }, "rate_limit"],
  ])("entries that are switched off or 0/0 (EPT-7, LIM-10) %s", (_, api, name) => {
    const entries = [
      { method: "GET", path: "/off", rate: 1, per: 1, enabled: false },
      { method: "GET", path: "/zero", rate: 0, per: 0 },
    ];
    const listed =
      name === "endpoints" ? { endpoints: entries } : { extended_paths: { rate_limit: entries } };
    const global_rate_limit = { rate: 9, per: 1, disabled: true };
    const orders = { ...api, ...listed, global_rate_limit };
    const found = at(
      gatewayOf({ apis: { orders }, keys: { alice: { apis: ["orders"] } } }),
      0,
      "alice",
    );
    expect(whys(found)).toMatchObject({
      "API orders, endpoint GET /off": "disabled",
      "API orders, endpoint GET /zero": "zero",
      "API orders, global_rate_limit": "disabled",
    });
  });

  test("an operation that is switched off (EPT-7)", () => {
    const openapi = {
      openapi: "3.0.3",
      info: { title: "o", version: "1" },
      paths: { "/off": { get: { operationId: "off" } } },
      "x-gw-api-gateway": {
        server: { listenPath: { value: "/orders" } },
        middleware: { operations: { off: { rateLimit: { enabled: false, rate: 1, per: "1s" } } } },
      },
    };
    const raw = { apis: { orders: { openapi } }, keys: { alice: { apis: ["orders"] } } };
    expect(whys(at(gatewayOf(raw), 0, "alice"))).toMatchObject({
      "API orders, endpoint GET /off": "disabled",
      "API orders, global_rate_limit": "absent",
    });
  });

  test("an API without rate limits (LIM-9)", () => {
    const found = at(gatewayOf(world), 0, "alice", "/free");
    expect(found.matched.map(({ level }) => level)).toEqual(["quota"]);
    expect(whys(found)).toEqual({
      "API free, global_rate_limit": "disable_rate_limit",
      "any limit of a key": "disable_rate_limit",
    });
  });

  test("policies that lost, and what they replaced (LIM-5, LIM-C5)", () => {
    const found = at(gatewayOf(world), 0, "bob", "/orders/vip");
    expect(whys(found)).toMatchObject({
      "policy silver, root limit": "lost_the_merge",
      "policy bronze, root limit": "lost_the_merge",
      "policy bronze": "no_access_right",
      "key bob, root limit": "replaced_by_policies",
    });
    const texts = found.notMatched.map(({ text }) => text);
    expect(texts).toContain("3 per 1 s is the higher effective rate (LIM-5)");
    expect(texts).toContain("3 per 1 s is as fast and listed first (LIM-C4)");
  });

  test("a root limit behind the limit of one API (LIM-6)", () => {
    const found = at(gatewayOf(world), 0, "root", "/orders/vip");
    expect(found.notMatched).toContainEqual({
      level: "key",
      where: "the key with its policies, root limit",
      rate: 6,
      per: 1,
      reason: "less_specific",
      text: "the limit for API orders, 4 per 1 s, is more specific",
    });
  });
});

describe("limits that count by the address or a header (LIM-C17)", () => {
  const on = gatewayOf({
    apis: {
      here: { listen: "/here", key_by: "ip" },
      phones: { listen: "/phones", key_by: { header: "X-Phone" } },
    },
    keys: { alice: { rate: 2, per: 10, apis: ["here", "phones"] } },
  });
  const sender = (address: string, headers: Readonly<Record<string, string>> = {}) => ({
    address,
    header: (name: string) => headers[name] ?? null,
  });
  for (let i = 0; i < 2; i++) {
    send(on, 0, { ...request("alice", "/here"), sender: sender("10.0.0.7") });
    send(on, 0, {
      ...request("alice", "/phones"),
      sender: sender("10.0.0.9", { "x-phone": "red" }),
    });
  }

  test.each([
    ["/here", "10.0.0.7", {}, "ip:10.0.0.7", 0],
    ["/here", "10.0.0.8", {}, "ip:10.0.0.8", 2],
    ["/phones", "10.0.0.1", { "x-phone": "red" }, "header:x-phone:red", 0],
    ["/phones", "10.0.0.7", {}, "ip:10.0.0.7", 0],
    ["/phones", "10.0.0.1", {}, "ip:10.0.0.1", 2],
  ])("apply to a dry run: %s from %s with %o", (path, address, headers, id, remaining) => {
    const { matched, passes } = dryRunNow(on.gateway, {
      ...input("alice", path),
      address,
      headers,
    });
    expect(matched).toMatchObject([{ budget: `key/10000000us|${id}`, remaining }]);
    expect(passes).toBe(remaining > 0);
  });
});

describe("a remote store (ALG-C8)", () => {
  /** Every operation fails. */
  function away(on: GatewayRig, what: DryRunRequest): { found: DryRun; operations: number } {
    const steps = dryRun(on.gateway, what);
    let operations = 0;
    let next = steps.next();
    while (next.done !== true) {
      operations++;
      next = steps.next({ failed: "timeout" });
    }
    return { found: next.value, operations };
  }

  test("has the result of a local store", () => {
    const on = gatewayOf(world, REMOTE_STORE_TRAITS);
    expect(at(on, 0, "alice")).toEqual({ ...at(gatewayOf(world), 0, "alice"), store: "answers" });
  });

  test.each([
    ["local", { expected_gateways: 2 }, true, null],
    ["local", {}, false, 503],
    ["allow", {}, true, null],
    ["deny", {}, false, 503],
  ])("away, on_store_error %s %o", (onStoreError, more, passes, status) => {
    const gateway = { ...world.gateway, on_store_error: onStoreError, ...more };
    const { found } = away(gatewayOf({ ...world, gateway }, REMOTE_STORE_TRAITS), input("bob"));
    expect(found).toMatchObject({ store: "away", passes, status });
  });

  test("away, the share of this gateway is shown", () => {
    const gateway = { ...world.gateway, expected_gateways: 2 };
    const { found } = away(gatewayOf({ ...world, gateway }, REMOTE_STORE_TRAITS), input("bob"));
    expect(found.matched).toMatchObject([
      { budget: "fallback/api/orders/10000000us", limit: 5, remaining: 2 },
      { budget: "fallback/key/1000000us|key:bob", limit: 3, remaining: 1 },
    ]);
  });

  test("an unreachable store gets no operation, and a dry run does not count as a probe", () => {
    const on = gatewayOf(world, REMOTE_STORE_TRAITS);
    const { limiter } = on.gateway;
    for (let i = 0; i < 5; i++) updateHealth(limiter, true, atUs(0));
    on.seconds = 5;
    const before = { ...limiter.health };
    expect(away(on, input("bob"))).toMatchObject({ operations: 0, found: { store: "away" } });
    expect(limiter.health).toEqual(before);
    expect(limiter.health).not.toEqual(initialHealth());
  });
});

test("two quotas are both shown, as the credential has spent them, whatever the rate counts by", () => {
  const on = gatewayOf(TWO_QUOTAS);
  const readQuotas = () => {
    const { store, passes, matched } = dryRunNow(on.gateway, input("carol"));
    return { store, passes, left: matched.map(({ level, remaining }) => [level, remaining]) };
  };
  const quotas = (ofApi: number, ofKey: number) => [
    ["quota", ofKey],
    ["quota-api", ofApi],
  ];
  expect(readQuotas()).toEqual({ store: "here", passes: true, left: quotas(3, 5) });
  for (let i = 0; i < 3; i++) expect(send(on, 1, request("carol")).refused).toBeNull();
  expect(readQuotas()).toEqual({ store: "here", passes: false, left: quotas(0, 2) });
  expect(send(on, 1, request("carol")).refused?.status).toBe(403);
});
