import { describe, expect, test } from "vitest";
import { LOCAL_STORE_TRAITS, REMOTE_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { reconfigure } from "#src/gateway/gateway.ts";
import { resolverOf } from "../limiter/core/limiters.ts";
import { begin, gatewayOf, request, send } from "./gateways.ts";

const right = { access_rights: { orders: {} } };
const world = {
  apis: {
    orders: { listen: "/orders", rate: 5, per: 10 },
    open: { listen: "/open", keyless: true, rate: 1, per: 10 },
    gone: { listen: "/gone", active: false },
  },
  policies: {
    gold: { rate: 1, per: 10, apis: ["orders"] },
    frozen: { is_inactive: true, apis: ["orders"] },
  },
  keys: {
    alice: { rate: 1, per: 10, ...right },
    quota: { quota_max: 1, quota_renewal_rate: 60, ...right },
    nowhere: { rate: 1, per: 10 },
    frozen: { is_inactive: true, ...right },
    expired: { expires: 1, ...right },
    signed: { hmac_enabled: true, ...right },
    narrowed: { access_rights: { orders: { allowed_urls: [{ url: "/a", methods: ["GET"] }] } } },
    lost: { apply_policies: ["silver"], ...right },
    half: { apply_policies: ["silver", "gold"] },
    cold: { apply_policies: ["gold", "frozen"] },
  },
  gateway: { algorithm: "fixed_window" },
};

describe("rejections before any limit (MGT-C9, LIM-C1)", () => {
  test.each([
    ["a path that cannot be one (EPT-C7)", request("alice", "/orders/a%2fb"), 400, "path"],
    ["a path of no API", request("alice", "/nothing"), 404, "path"],
    ["an inactive API", request("alice", "/gone"), 404, "path"],
    ["no credential", request(null), 401, "credential"],
    ["a credential that nobody has", request("mallory"), 403, "access"],
    ["a key without access", request("nowhere"), 403, "access"],
    ["an inactive key", request("frozen"), 403, "state"],
    ["a key with an inactive policy (LIM-C7)", request("cold"), 403, "state"],
    ["an expired key", request("expired"), 401, "state"],
    ["a key none of whose policies is known (LIM-C7)", request("lost"), 403, "access"],
    ["a key that wants a check nobody makes (MGT-C8)", request("signed"), 403, "access"],
    ["access that is narrower than can be enforced (MGT-C8)", request("narrowed"), 403, "access"],
  ])("%s", (_, sent, status, reason) => {
    const on = gatewayOf(world);
    const outcome = send(on, 0, sent);
    expect(outcome.refused).toMatchObject({ status, reason });
    expect(outcome.decision).toBeNull();
    for (let i = 0; i < 20; i++) send(on, 0, sent);
    expect(send(on, 0, request("alice")).decision?.remaining).toBe(0); // of its one; the API has kept its five
  });
});

describe("what a limit refuses", () => {
  test.each([
    ["the key's", "alice", 429, "Rate Limit Exceeded"],
    ["the quota's", "quota", 403, "Quota exceeded"],
  ])("%s own refusal", (_, key, status, message) => {
    const on = gatewayOf(world);
    send(on, 0, request(key));
    expect(send(on, 0, request(key)).refused).toMatchObject({ status, message });
  });

  test("the refusal by an API's limit names the API", () => {
    const on = gatewayOf(world);
    send(on, 0, request(null, "/open"));
    expect(send(on, 0, request(null, "/open/x")).refused).toMatchObject({
      status: 429,
      message: "API Rate Limit Exceeded",
    });
  });

  test("a keyless API limits all clients together, whatever credential they send (LIM-C12)", () => {
    const on = gatewayOf(world);
    expect(send(on, 0, request("alice", "/open")).session).toBeNull();
    expect(send(on, 0, request("mallory", "/open")).refused?.status).toBe(429);
  });
});

describe("events", () => {
  const eventsOf = (...sent: readonly ReturnType<typeof request>[]) => {
    const on = gatewayOf(world);
    for (const one of sent) send(on, 3, one);
    return on.events.map(({ event, key, api, budget }) => ({ event, key, api, budget }));
  };

  test("a refusal names the budget and the key", () => {
    expect(eventsOf(request("alice"), request("alice"))).toEqual([
      {
        event: "RatelimitExceeded",
        key: "alice",
        api: "orders",
        budget: "key/10000000us|key:alice",
      },
    ]);
  });

  test("a spent quota has one of its own", () => {
    expect(eventsOf(request("quota"), request("quota"))).toMatchObject([
      { event: "QuotaExceeded", key: "quota", budget: "quota/60000000us|key:quota" },
    ]);
  });

  test("an unknown policy is reported once, and the known ones apply (LIM-C7)", () => {
    expect(eventsOf(request("half"), request("half"))).toMatchObject([
      { event: "PolicyMissing", key: "half", budget: "silver" },
      { event: "RatelimitExceeded" },
    ]);
  });

  test("each has the path of its request, without the query (EVT-C2)", () => {
    const on = gatewayOf(world);
    for (const key of ["half", "half"])
      send(on, 0, { ...request(key), target: "/orders/7?token=a" });
    expect(on.events.map(({ event, path }) => [event, path])).toEqual([
      ["PolicyMissing", "/orders/7"],
      ["RatelimitExceeded", "/orders/7"],
    ]);
  });

  test("it is reported again after the configuration has changed", () => {
    const on = gatewayOf(world);
    send(on, 0, request("half"));
    reconfigure(on.gateway, resolverOf(world));
    send(on, 0, request("half"));
    expect(on.events.filter(({ event }) => event === "PolicyMissing")).toHaveLength(2);
  });
});

describe("the path", () => {
  const limited = {
    apis: {
      orders: {
        listen: "/orders",
        endpoints: [{ path: "/a", method: "GET", rate: 1, per: 10 }],
      },
    },
    keys: { alice: right },
  };

  test.each(["/orders/a", "/orders//a", "/orders/./a", "/orders/b/../a", "/orders/%61?x=1"])(
    "%s is one endpoint's, however it is written (EPT-C7)",
    (target) => {
      const on = gatewayOf(limited);
      send(on, 0, request("alice", "/orders/a"));
      const outcome = send(on, 0, request("alice", target));
      expect(outcome.refused?.status).toBe(429);
      expect(outcome.path).toBe("/orders/a");
    },
  );

  test("is left as it is where normalize_path is off", () => {
    const on = gatewayOf({ ...limited, gateway: { normalize_path: false } });
    send(on, 0, request("alice", "/orders/a"));
    expect(send(on, 0, request("alice", "/orders//a?x=1")).path).toBe("/orders//a");
    expect(send(on, 0, request("alice", "/orders//a")).refused).toBeNull();
    expect(send(on, 0, request("alice", "/orders/a?x=1")).refused?.status).toBe(429);
  });

  test("belongs to an API with its method in any case and its own letters (EPT-C1)", () => {
    const on = gatewayOf(limited);
    send(on, 0, request("alice", "/orders/a"));
    expect(send(on, 0, request("alice", "/orders/a", "get")).refused?.status).toBe(429);
    expect(send(on, 0, request("alice", "/orders/A")).refused).toBeNull();
    expect(send(on, 0, request("alice", "/orders/a", "POST")).refused).toBeNull();
  });
});

describe("throttling (LIM-C9)", () => {
  const worldWithThrottle = (more: object = {}, api: object = {}) => ({
    apis: { orders: { listen: "/orders", ...api } },
    keys: {
      alice: { rate: 1, per: 10, throttle_interval: 4, throttle_retry_limit: 2, ...right },
    },
    gateway: { algorithm: "sliding_log", ...more },
  });
  const algorithms = [
    "sliding_log",
    "bounded_log",
    "sentinel",
    "non_transactional",
    "fixed_window",
  ];
  const ways = algorithms.flatMap((algorithm) => [
    [algorithm, LOCAL_STORE_TRAITS] as const,
    [algorithm, REMOTE_STORE_TRAITS] as const,
  ]);

  test.each(ways)("%s, store %o: a refused request waits and then passes", (algorithm, store) => {
    const on = gatewayOf(worldWithThrottle({ algorithm }), store);
    expect(begin(on, 0, request("alice")).outcome().refused).toBeNull();
    const waiting = begin(on, 3, request("alice"));
    expect(waiting.sleeps()).toBe(4);
    waiting.wake(7);
    expect(waiting.sleeps()).toBe(4);
    waiting.wake(11); // it was written at no time before, so that only the first is in the window
    expect(waiting.outcome().refused).toBeNull();
    expect(on.events).toEqual([]);
  });

  test.each(ways)("%s, store %o: only the last refusal is one", (algorithm, store) => {
    const on = gatewayOf(worldWithThrottle({ algorithm }), store);
    begin(on, 0, request("alice"));
    const waiting = begin(on, 1, request("alice"));
    waiting.wake(5);
    waiting.wake(9);
    expect(waiting.outcome().refused?.status).toBe(429);
    expect(on.events.map(({ event }) => event)).toEqual(["RatelimitExceeded"]);
  });

  test("a decision in one call rejects a throttled key", () => {
    expect(() => send(gatewayOf(worldWithThrottle()), 0, request("alice"))).toThrow(
      "may have to wait",
    );
  });

  test("no request waits for the limit of an API", () => {
    const on = gatewayOf(worldWithThrottle({}, { rate: 1, per: 10 }));
    begin(on, 0, request("alice"));
    expect(begin(on, 1, request("alice")).outcome().refused?.message).toBe(
      "API Rate Limit Exceeded",
    );
  });

  test("beyond throttle_max_waiting there is 429 at once, and a waiting request keeps its place", () => {
    const on = gatewayOf(worldWithThrottle({ throttle_max_waiting: 1 }));
    begin(on, 0, request("alice"));
    const first = begin(on, 1, request("alice"));
    expect(begin(on, 2, request("alice")).outcome().refused?.status).toBe(429);
    first.wake(5);
    expect(first.sleeps()).toBe(4);
    expect(on.gateway.waiting).toBe(1);
  });

  test("no request waits longer than 30 s in all", () => {
    const raw = worldWithThrottle();
    const keys = {
      alice: { ...raw.keys.alice, per: 100, throttle_interval: 8, throttle_retry_limit: 99 },
    };
    const on = gatewayOf({ ...raw, keys });
    begin(on, 0, request("alice"));
    const waiting = begin(on, 1, request("alice"));
    for (const seconds of [9, 17, 25]) waiting.wake(seconds);
    expect(waiting.outcome().refused?.status).toBe(429);
  });

  test("a step of A that a waiting request has caused is an event (EVT-1)", () => {
    const smoothing = { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 2 };
    const raw = worldWithThrottle({ algorithm: "non_transactional" });
    const keys = { alice: { ...raw.keys.alice, rate: 3, smoothing } };
    const events = [LOCAL_STORE_TRAITS, REMOTE_STORE_TRAITS].map((store) => {
      const on = gatewayOf({ ...raw, keys }, store);
      for (const seconds of [0, 1, 2, 3, 4, 5]) begin(on, seconds, request("alice"));
      return on.events.map(({ event, value }) => ({ event, value }));
    });
    expect(events[1]).toEqual(events[0]);
    expect(events[0]).toContainEqual({ event: "RateLimitSmoothingUp", value: 2 });
  });
});
