import { describe, expect, test } from "vitest";
import type { Key } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { NEVER } from "#src/kit/units.ts";
import { configurationOf, problemsOf, withKey } from "./worlds.ts";

const key = (alice: unknown): Key | undefined => configurationOf(withKey(alice)).keys.get("alice");

/** Problems other than the warning about a key without access. */
const problemsOfOtherFields = (written: unknown): readonly string[] =>
  problemsOf(withKey(written)).filter((line) => !line.startsWith("CFG-KEY-WITHOUT-ACCESS "));

const ORDERS = new Map([
  ["orders", { limit: null, quota: null, throttle: null, endpoints: [], unenforced: [] }],
]);

const plain: Key = {
  id: "alice",
  limit: null,
  quota: null,
  throttle: null,
  applyPolicies: [],
  accessRights: ORDERS,
  inactive: false,
  expiresUs: NEVER,
  metaData: {},
  unenforced: [],
};

describe("a key", () => {
  test.each([
    [{}, {}],
    [{ key_id: "k1" }, { id: "k1" }],
    [{ rate: 5, per: 1 }, { limit: limitOf(5, 1) }],
    [{ quota_max: 5, quota_renewal_rate: 60 }, { quota: { max: 5, renewalUs: 60_000_000 } }],
    [
      { quota_max: 2 ** 63, quota_renewal_rate: 2 ** 63 },
      { quota: { max: 2 ** 53 - 1, renewalUs: 3_153_600_000_000_000 } },
    ],
    [
      { throttle_interval: 2 ** 63, throttle_retry_limit: 2 ** 63 },
      { throttle: { intervalUs: 3_153_600_000_000_000, retryLimit: 2 ** 53 - 1 } },
    ],
    [{ quota_max: -1 }, {}],
    [
      { throttle_interval: 1, throttle_retry_limit: 2 },
      { throttle: { intervalUs: 1_000_000, retryLimit: 2 } },
    ],
    [{ is_inactive: true }, { inactive: true }],
    [{ meta_data: { a: 1 } }, { metaData: { a: 1 } }],
    [{ expires: 0 }, {}],
    [{ expires: -1 }, {}],
    [{ expires: 1_700_000_000 }, { expiresUs: 1_700_000_000_000_000 }],
    [{ apis: ["orders"] }, { accessRights: ORDERS }],
    [{ access_rights: {} }, { accessRights: new Map() }],
    [{ access_rights: null }, { accessRights: null }],
    [{ apply_policies: ["gold"] }, { applyPolicies: ["gold"], accessRights: null }],
    [{ apply_policy_id: "gold" }, { applyPolicies: ["gold"], accessRights: null }],
    [
      { apply_policies: [], apply_policy_id: "gold" },
      { applyPolicies: ["gold"], accessRights: null },
    ],
    [{ apply_policies: null, apply_policy_id: "" }, { accessRights: null }],
  ])("%j", (written, changed) => {
    expect(problemsOfOtherFields(written)).toEqual([]);
    expect(key(written)).toEqual({ ...plain, ...changed });
  });

  test.each([
    [{ key_id: 7 }, "CFG-TYPE keys.alice.key_id"],
    [{ expires: 1.5 }, "CFG-VALUE keys.alice.expires"],
    [{ is_inactive: "no" }, "CFG-TYPE keys.alice.is_inactive"],
    [{ apply_policies: "gold" }, "CFG-TYPE keys.alice.apply_policies"],
    [{ apply_policies: [7] }, "CFG-TYPE keys.alice.apply_policies.0"],
    [{ apply_policy_id: 7 }, "CFG-TYPE keys.alice.apply_policy_id"],
    [{ policies: ["gold"] }, "CFG-UNKNOWN-FIELD keys.alice.policies"],
    [{ apis: ["orders"], access_rights: {} }, "CFG-CONFLICT keys.alice.apis"],
    [{ hmac_enabled: 1 }, "CFG-TYPE keys.alice.hmac_enabled"],
    ["gold", "CFG-TYPE keys.alice"],
  ])("%j is an error", (written, problem) => {
    expect(problemsOf(withKey(written))).toContain(problem);
    expect(readConfiguration(withKey(written)).configuration).toBeNull();
  });

  test.each([2 ** 63, 1_700_000_000_000])(
    "a key that expires at %d never does, and a warning reports it",
    (at) => {
      expect(problemsOf(withKey({ expires: at }))).toEqual([
        "CFG-EXPIRES-NEVER keys.alice.expires",
      ]);
      expect(key({ expires: at })).toEqual(plain);
    },
  );
});

describe("every field of the document's Key table is accepted", () => {
  const record = {
    access_rights: null,
    alias: "Alice",
    allowance: 5,
    apply_policies: null,
    apply_policy_id: "",
    basic_auth_data: { password: "" },
    certificate: "",
    data_expires: 0,
    date_created: "2024-01-01T00:00:00Z",
    enable_detailed_recording: false,
    expires: 0,
    hmac_enabled: false,
    hmac_string: "",
    id_extractor_deadline: 0,
    is_inactive: false,
    jwt_data: { secret: "" },
    key_id: "k1",
    last_check: 0,
    last_updated: "1700000000",
    max_query_depth: -1,
    meta_data: null,
    monitor: { trigger_limits: null },
    oauth_client_id: "",
    oauth_keys: null,
    org_id: "o",
    per: 1,
    quota_max: -1,
    quota_remaining: 3,
    quota_renewal_rate: 60,
    quota_renews: 1_700_000_000,
    rate: 5,
    session_lifetime: 0,
    smoothing: null,
    tags: null,
    throttle_interval: -1,
    throttle_retry_limit: -1,
  };

  test("and has no warning", () => {
    expect(problemsOfOtherFields(record)).toEqual([]);
    expect(key(record)).toEqual({
      ...plain,
      id: "k1",
      limit: limitOf(5, 1),
      accessRights: null,
    });
  });

  test("in its type, and null for its default", () => {
    expect(
      problemsOfOtherFields(Object.fromEntries(Object.keys(record).map((name) => [name, null]))),
    ).toEqual([]);
    const wrong = Object.entries(record).filter(([name]) => name !== "meta_data");
    const lines = problemsOf(
      withKey(Object.fromEntries(wrong.map(([name]) => [name, name === "per" ? [] : new Date(0)]))),
    );
    const faulty = new Set(lines.map((line) => line.split(".")[2]));
    // A Date is an object, which is what these are.
    const objects = [
      "access_rights",
      "basic_auth_data",
      "jwt_data",
      "monitor",
      "oauth_keys",
      "smoothing",
    ];
    expect(
      wrong.flatMap(([name]) => (faulty.has(name) || objects.includes(name) ? [] : [name])),
    ).toEqual([]);
    expect(
      problemsOf(withKey({ jwt_data: 7, monitor: [], oauth_keys: "x", basic_auth_data: true }))
        .length,
    ).toBe(4);
  });
});

describe("credentials", () => {
  const read = (keys: unknown): ReturnType<typeof readConfiguration> => readConfiguration({ keys });

  test("the credential of a key is its name, its id is key_id or its name", () => {
    const { configuration, credentials } = read({ alice: { key_id: "k1" }, bob: {} });
    expect(
      [...(configuration?.keys ?? [])].map(([credential, { id }]) => [credential, id]),
    ).toEqual([
      ["alice", "k1"],
      ["bob", "bob"],
    ]);
    expect(credentials).toEqual(
      new Map([
        ["alice", ["alice"]],
        ["bob", ["bob"]],
      ]),
    );
  });

  test("count makes keys that differ in nothing but their name", () => {
    const { configuration, credentials } = read({ crowd: { count: 3, rate: 5, per: 1 } });
    expect(credentials.get("crowd")).toEqual(["crowd-1", "crowd-2", "crowd-3"]);
    const keys = [...(configuration?.keys.values() ?? [])];
    expect(keys.map(({ id }) => id)).toEqual(["crowd-1", "crowd-2", "crowd-3"]);
    expect(new Set(keys.map(({ limit }) => limit)).size).toBe(1); // shared, so that a million keys stay small
  });

  test.each([
    [{ a: { count: 2 }, "a-2": {} }, ["CFG-ID-DUPLICATE keys.a-2"]],
    [{ a: {}, b: { key_id: "a" } }, ["CFG-ID-DUPLICATE keys.b"]],
    [{ a: { key_id: "b" }, b: {} }, ["CFG-ID-DUPLICATE keys.b"]],
    [{ a: { count: 0 } }, ["CFG-VALUE keys.a.count"]],
    [{ a: { count: 1.5 } }, ["CFG-VALUE keys.a.count"]],
    [{ a: { count: 1_000_001 } }, ["CFG-VALUE keys.a.count"]],
    [{ a: { count: 2, key_id: "k" } }, ["CFG-CONFLICT keys.a.count"]],
    [[], ["CFG-TYPE keys"]],
  ])("%j: %j", (keys, problems) => {
    expect(problemsOf({ keys })).toEqual(problems);
  });
});

describe("LIM-C7: policies of a key", () => {
  test.each([
    [
      { apply_policies: ["golf", "gold"] },
      ["golf", "gold"],
      ["CFG-UNKNOWN-POLICY keys.alice.apply_policies.0"],
    ],
    [
      { apply_policies: ["golf"], apply_policy_id: "gold", rate: 5, per: 1 },
      ["golf"],
      ["CFG-UNKNOWN-POLICY keys.alice.apply_policies.0", "CFG-KEY-REJECTED keys.alice"],
    ],
    [{ apply_policies: ["gold"], apply_policy_id: "golf" }, ["gold"], []],
  ])("%j", (written, policies, problems) => {
    expect(problemsOf(withKey(written))).toEqual(problems);
    expect(key(written)?.applyPolicies).toEqual(policies);
  });

  // Limits of its own make it a warning that no policy of a key is known.
  test.each<readonly [own: Readonly<Record<string, unknown>>, limits: boolean]>([
    [{}, false],
    [{ apis: ["orders"] }, false],
    [{ access_rights: { orders: {} } }, false],
    [{ throttle_interval: 1, throttle_retry_limit: 1 }, false],
    [{ rate: -1, per: 1 }, false],
    [{ rate: 5, per: 1, shadow: true }, false],
    [{ rate: 5, per: 1 }, true],
    [{ quota_max: 5 }, true],
    [{ access_rights: { orders: { limit: { rate: 5, per: 1 } } } }, true],
    [{ access_rights: { orders: { limit: { quota_max: 5 } } } }, true],
    [
      {
        access_rights: {
          orders: {
            endpoints: [{ path: "/a", methods: [{ name: "GET", limit: { rate: 5, per: 1 } }] }],
          },
        },
      },
      true,
    ],
  ])("without a known policy, a key with %j of its own is limited: %s", (own, limits) => {
    const written = { apply_policies: ["golf", "silver"], ...own };
    const names = [0, 1].map((index) => `keys.alice.apply_policies.${index}`);
    expect(problemsOf(withKey(written))).toEqual(
      limits
        ? [...names.map((name) => `CFG-UNKNOWN-POLICY ${name}`), "CFG-KEY-REJECTED keys.alice"]
        : names.map((name) => `CFG-KEY-WITHOUT-LIMIT ${name}`),
    );
    // A record may outlive its policies.
    const records = readConfiguration(withKey(written), [], { keepsDangling: "policies" });
    expect(records.problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(records.configuration?.keys.get("alice")?.applyPolicies).toEqual(["golf", "silver"]);
  });

  test.each([
    ["payed", "paid"],
    ["free", "fre"],
    ["fre-e", "free"],
    ["premuim", "premium"],
  ])("the unknown policy %s gets the suggestion %s", (typed, intended) => {
    const { problems } = readConfiguration({
      policies: { [intended]: { rate: 5, per: 1 }, unlimited: { quota_max: 9 } },
      keys: { alice: { apply_policies: [typed, "unlimited"] } },
    });
    expect(problems.filter(({ code }) => code === "CFG-UNKNOWN-POLICY")).toMatchObject([
      { message: expect.stringContaining(`did you mean "${intended}"?`) as string },
    ]);
  });

  test("a policy is referred to by its id or by its name in the map", () => {
    const policies = { gold: { id: "p1" } };
    const { keys } = configurationOf({
      policies,
      keys: { alice: { apply_policies: ["gold", "p1"] } },
    });
    expect(keys.get("alice")?.applyPolicies).toEqual(["p1", "p1"]);
  });
});

describe("LIM-C5: with a known policy a key's own access rights are stored only", () => {
  const stored = {
    limit: null,
    quota: null,
    throttle: null,
    endpoints: [],
    unenforced: ["allowed_urls"],
  };
  const access_rights = { orders: { allowed_urls: [{ url: "/a" }] } };

  test("a warning reports them, and none the checks that they require", () => {
    const written = { apply_policies: ["gold"], access_rights };
    expect(problemsOf(withKey(written))).toEqual([
      "CFG-ACCESS-RIGHTS-UNUSED keys.alice.access_rights",
    ]);
    expect(key(written)?.accessRights).toEqual(new Map([["orders", stored]]));
  });

  test("the short apis are no different", () => {
    expect(problemsOf(withKey({ apply_policies: ["gold"], apis: ["orders"] }))).toEqual([
      "CFG-ACCESS-RIGHTS-UNUSED keys.alice.apis",
    ]);
  });

  test("without a known policy they act", () => {
    expect(problemsOf(withKey({ access_rights }))).toEqual([
      "CFG-UNENFORCED keys.alice.access_rights.orders.allowed_urls",
    ]);
    expect(problemsOf(withKey({ apply_policies: ["golf"], apis: ["orders"] }))).not.toContain(
      "CFG-ACCESS-RIGHTS-UNUSED keys.alice.apis",
    );
  });
});

describe("MGT-C8: checks that the gateway does not make", () => {
  test.each([
    [{ hmac_enabled: true }, ["hmac_enabled"]],
    [{ certificate: "pem" }, ["certificate"]],
    [{ hmac_enabled: true, certificate: "pem" }, ["hmac_enabled", "certificate"]],
    [{ hmac_enabled: false, certificate: "" }, []],
  ])("%j", (written, unenforced) => {
    expect(problemsOf(withKey(written))).toEqual(
      unenforced.map((name) => `CFG-UNENFORCED keys.alice.${name}`),
    );
    expect(key(written)?.unenforced).toEqual(unenforced);
  });
});

test("a shadow of nothing is nothing, and a threshold of -0 is 0", () => {
  const { keys, shadow } = configurationOf(withKey({ shadow: true }));
  expect([keys.get("alice")?.limit, shadow]).toEqual([null, null]);
  expect(configurationOf({ gateway: { drl_threshold: -0 } }).options.drlThreshold).toBe(0);
});
