import { describe, expect, test } from "vitest";
import { budgetName } from "#src/limiter/core/budget.ts";
import type { Client } from "#src/limiter/core/client.ts";
import { quotaBudget } from "#src/limiter/core/resolve/quota.ts";
import { resolve, resolver, sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import type { Resolved } from "#src/limiter/core/resolve/resolved.ts";
import { micros, NEVER, SECOND } from "#src/kit/units.ts";
import { met, resolverOf } from "../limiters.ts";

const per1 = (rate: number) => ({ rate, per: 1 });
const entry = (path: string, rate: number, per = 1) => ({ path, method: "GET", rate, per });
const own = (path: string, rate: number) => ({
  path,
  methods: [{ name: "GET", limit: per1(rate) }],
});

const namesOf = ({ api, key, quota }: Resolved, client: Client) => ({
  api: api === null ? null : budgetName(api, client),
  key: key === null ? null : budgetName(key, client),
  quota: quota === null ? null : budgetName(quota, client),
});

/** The names of the budgets that alice meets at /orders. */
function budgets(api: object, key: object, path = "/", more: object = {}) {
  const found = resolverOf({
    apis: { orders: { listen: "/orders", ...api } },
    keys: { alice: key },
    gateway: {},
    ...more,
  });
  const { resolved, client } = met({ resolver: found }, "alice", path);
  return namesOf(resolved, client);
}

const withAccess = (right: object = {}, more: object = {}) => ({
  access_rights: { orders: right },
  ...more,
});

describe("the most specific existing limit of each level (LIM-C1, LIM-C10, LIM-13, EPT-2)", () => {
  test.each<[string, object, object, string | null, string | null]>([
    ["none anywhere", {}, withAccess(), null, null],
    ["the API's", per1(5), withAccess(), "api/orders/1000000us", null],
    [
      "its endpoint's",
      { ...per1(5), endpoints: [entry("/a", 2)] },
      withAccess(),
      "api-endpoint/orders/GET /a/1000000us",
      null,
    ],
    [
      "an endpoint's alone",
      { endpoints: [entry("/a", 2)] },
      withAccess(),
      "api-endpoint/orders/GET /a/1000000us",
      null,
    ],
    [
      "a disabled entry is passed over",
      { ...per1(5), endpoints: [{ ...entry("/a", 2), enabled: false }] },
      withAccess(),
      "api/orders/1000000us",
      null,
    ],
    [
      "an entry of 0 per 0 too",
      { ...per1(5), endpoints: [entry("/a", 0, 0)] },
      withAccess(),
      "api/orders/1000000us",
      null,
    ],
    [
      "an unlimited entry ends the search",
      { ...per1(5), endpoints: [entry("/a", -1)] },
      withAccess(),
      null,
      null,
    ],
    ["the key's root", {}, withAccess({}, per1(5)), null, "key/1000000us|key:alice"],
    [
      "its limit for the API",
      {},
      withAccess({ limit: per1(3) }, per1(5)),
      null,
      "key-api/orders/1000000us|key:alice",
    ],
    [
      "its limit for the endpoint",
      {},
      withAccess({ limit: per1(3), endpoints: [own("/a", 2)] }, per1(5)),
      null,
      "key-endpoint/orders/GET /a/1000000us|key:alice",
    ],
    [
      "an unlimited one for the API ends the search",
      {},
      withAccess({ limit: per1(-1) }, per1(5)),
      null,
      null,
    ],
    [
      "one of 0 per 0 does not",
      {},
      withAccess({ limit: { rate: 0, per: 0 } }, per1(5)),
      null,
      "key/1000000us|key:alice",
    ],
    [
      "both levels",
      { endpoints: [entry("/{x}", 2)] },
      withAccess({ endpoints: [own("/a", 2)] }),
      "api-endpoint/orders/GET /{x}/1000000us",
      "key-endpoint/orders/GET /a/1000000us|key:alice",
    ],
    [
      "none, with disable_rate_limit (LIM-9)",
      { ...per1(5), disable_rate_limit: true, endpoints: [entry("/a", 2)] },
      withAccess({ endpoints: [own("/a", 2)] }, per1(5)),
      null,
      null,
    ],
  ])("%s", (_, api, key, ofApi, ofKey) => {
    expect(budgets(api, key, "/a")).toEqual({ api: ofApi, key: ofKey, quota: null });
  });

  test("a method that no entry names meets the less specific one (EPT-1, EPT-2)", () => {
    expect(budgets({ ...per1(5), endpoints: [entry("/a", 2)] }, withAccess(), "/b").api).toBe(
      "api/orders/1000000us",
    );
  });

  test("a per of its own makes a budget of its own, a rate does not (MGT-C5)", () => {
    const key = (rate: number, per: number) => budgets({}, withAccess({}, { rate, per })).key;
    expect(key(5, 1)).toBe(key(9, 1));
    expect(key(5, 1)).not.toBe(key(5, 2));
  });
});

describe("who counts together", () => {
  const two = (alice: object, bob: object, policies: object = {}) =>
    resolverOf({
      apis: { orders: { listen: "/orders" }, bills: { listen: "/bills" } },
      policies,
      keys: { alice, bob },
      gateway: {},
    });
  const key = (found: ReturnType<typeof resolverOf>, name: string, api = 0) => {
    const { resolved, client } = met({ resolver: found }, name, "/", api);
    return namesOf(resolved, client).key;
  };

  test("one key over all APIs of a policy (LIM-3)", () => {
    const gold = { gold: { rate: 5, per: 1, apis: ["orders", "bills"] } };
    const found = two({ apply_policies: ["gold"] }, {}, gold);
    expect(key(found, "alice", 0)).toBe(key(found, "alice", 1));
  });

  test("two keys of one policy never (LIM-4), though they share all that is worked out for them", () => {
    const gold = { gold: { rate: 5, per: 1, apis: ["orders"] } };
    const found = two({ apply_policies: ["gold"] }, { apply_policies: ["gold"] }, gold);
    expect(key(found, "alice")).not.toBe(key(found, "bob"));
    expect(sessionOf(found, "alice")!.profile).toBe(sessionOf(found, "bob")!.profile);
  });

  const whole = {
    apis: ["orders"],
    ...per1(5),
    quota_max: 9,
    quota_renewal_rate: 60,
    throttle_interval: 1,
    throttle_retry_limit: 2,
    is_inactive: false,
  };

  test.each<[string, object, boolean]>([
    ["nothing", {}, true],
    ["metadata", { meta_data: { org: "north" } }, true],
    ["rate", { rate: 6 }, false],
    ["per", { per: 2 }, false],
    [
      "smoothing",
      { smoothing: { enabled: true, threshold: 2, step: 1, trigger: 1, delay: 1 } },
      false,
    ],
    ["quota", { quota_max: 10 }, false],
    ["a quota's renewal", { quota_renewal_rate: 0 }, false],
    ["throttling", { throttle_retry_limit: 3 }, false],
    ["state", { is_inactive: true }, false],
    ["access", { apis: ["orders", "bills"] }, false],
    ["policies", { apply_policies: ["gold"] }, false],
  ])(
    "keys written apart that differ in %s share all that is worked out, or do not",
    (_, more, same) => {
      const found = two(whole, { ...whole, ...more }, { gold: { apis: ["orders"] } });
      expect(sessionOf(found, "alice")!.profile === sessionOf(found, "bob")!.profile).toBe(same);
    },
  );

  test("keys of one pattern do, also for the quota, and no other (LIM-11, LIM-C8)", () => {
    const meta_data = { org: "north", rate_limit_pattern: "$gw_meta.org" };
    const limited = { rate: 5, per: 1, quota_max: 9, quota_renewal_rate: 60, apis: ["orders"] };
    const found = two({ ...limited, meta_data }, { ...limited, rate: 7, meta_data });
    const names = ["alice", "bob"].map((name) => {
      const { resolved, client } = met({ resolver: found }, name);
      return namesOf(resolved, client);
    });
    expect(names[0]).toEqual(names[1]);
    expect(names[0]?.key).toBe('key/1000000us|pattern:["north"]');
  });

  test("keys of one limit never, though it is one Budget however many have it", () => {
    const found = two({ ...whole, quota_max: 1 }, { ...whole, quota_max: 2 });
    const [alice, bob] = ["alice", "bob"].map((name) => met({ resolver: found }, name).resolved);
    expect(alice!.key).toBe(bob!.key);
    expect(key(found, "alice")).not.toBe(key(found, "bob"));
  });

  test("two APIs never, each with its own limit for the key (LIM-6)", () => {
    const rights = { orders: { limit: per1(5) }, bills: { limit: per1(5) } };
    const found = two({ access_rights: rights }, {});
    expect(key(found, "alice", 0)).not.toBe(key(found, "alice", 1));
  });

  test("lists of policies that read alike remain different", () => {
    const policies = {
      "a\nb": { ...per1(1), apis: ["orders"] },
      a: { ...per1(2), apis: ["orders"] },
      b: { ...per1(3), apis: ["orders"] },
    };
    const found = two({ apply_policies: ["a\nb"] }, { apply_policies: ["a", "b"] }, policies);
    expect(met({ resolver: found }, "alice").resolved.key?.limit.rate).toBe(1);
    expect(met({ resolver: found }, "bob").resolved.key?.limit.rate).toBe(3);
  });
});

describe("access", () => {
  test.each<[string, object]>([
    ["a key without rights", {}],
    ["a key with rights to another API", { apis: ["bills"] }],
    [
      "rights that cannot be enforced (MGT-C8)",
      { access_rights: { orders: { allowed_urls: [{ url: "/a", methods: ["GET"] }] } } },
    ],
  ])("%s has none", (_, key) => {
    const found = resolverOf({
      apis: { orders: { listen: "/orders" }, bills: { listen: "/bills" } },
      keys: { alice: key },
      gateway: {},
    });
    expect(resolve(found, found.apis[0]!, sessionOf(found, "alice")!, "GET", "/")).toBeNull();
  });

  test("an unknown credential has no session", () => {
    expect(sessionOf(resolverOf({ apis: {}, keys: {}, gateway: {} }), "alice")).toBeNull();
  });
});

describe("a quota is a budget of the key (LIM-C9)", () => {
  test.each([
    [null, null],
    [{ max: -1, renewalUs: NEVER }, null],
    [{ max: 0, renewalUs: SECOND }, null],
    [{ max: 5, renewalUs: micros(60_000_000) }, "quota/60000000us"],
    [{ max: 5, renewalUs: NEVER }, "quota/Infinityus"],
  ])("%j: %s", (quota, space) => {
    expect(quotaBudget(quota)?.space ?? null).toBe(space);
  });

  test("a changed maximum finds what was counted", () => {
    const of = (max: number) => quotaBudget({ max, renewalUs: SECOND })?.space;
    expect(of(5)).toBe(of(9));
  });
});

test("the result for one request is reused for the next of its kind", () => {
  const found = resolverOf({
    apis: { orders: { listen: "/orders", endpoints: [entry("/{x}", 2)] } },
    keys: { alice: withAccess({}, per1(5)) },
    gateway: {},
  });
  const first = met({ resolver: found }, "alice", "/a").resolved;
  expect(met({ resolver: found }, "alice", "/b").resolved).toBe(first);
  expect(met({ resolver: found }, "alice", "").resolved).not.toBe(first);
});

test("an endpoint of a keyless API has a limit without a key, and its because names the form", () => {
  const found = resolverOf({
    apis: { orders: { listen: "/orders", keyless: true, ...per1(5), endpoints: [entry("/a", 2)] } },
    keys: {},
    gateway: {},
  });
  const oas = [...found.configuration.apis].map(
    ([id, one]) => [id, { ...one, form: "oas" }] as const,
  );
  const same = resolver({ ...found.configuration, apis: new Map(oas) });
  const because = [found, same].map(
    (one) => met({ resolver: one }, null, "/a").resolved.api?.because,
  );
  expect(because).toEqual([
    ["EPT-1", "EPT-3"],
    ["EPT-1", "EPT-4"],
  ]);
  expect(met({ resolver: found }, null, "/b").resolved.api?.limit.rate).toBe(5);
});

// With fewer endpoints of the key than of the API, a wrong number of a pair can be that of another one.
test.each([2, 1])(
  "each pair of an API's endpoint and one of %d of a key is resolved for itself",
  (count) => {
    const ofKey = [own("/{x}/c", 5), own("/{x}/d", 4)].slice(0, count);
    const found = resolverOf({
      apis: {
        orders: {
          listen: "/orders",
          ...per1(9),
          endpoints: [entry("/a/{x}", 8), entry("/b/{x}", 7)],
        },
      },
      keys: { alice: withAccess({ limit: per1(6), endpoints: ofKey }) },
      gateway: {},
    });
    const paths = ["/c", "/d"].slice(0, count).concat("/e");
    const rates = ["/a", "/b", "/e"].flatMap((first) =>
      paths.map((second) => {
        const { api, key } = met({ resolver: found }, "alice", `${first}${second}`).resolved;
        return [api?.limit.rate, key?.limit.rate];
      }),
    );
    const keyRates = [5, 4].slice(0, count).concat(6);
    expect(rates).toEqual([8, 7, 9].flatMap((api) => keyRates.map((key) => [api, key])));
  },
);
