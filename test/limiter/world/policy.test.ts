import { describe, expect, test } from "vitest";
import type { Policy } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { NEVER } from "#src/kit/units.ts";
import { configurationOf, messages, orders, problemsOf } from "./worlds.ts";

const world = (gold: unknown): unknown => ({ apis: orders, policies: { gold } });
const policy = (gold: unknown, id = "gold"): Policy | undefined =>
  configurationOf(world(gold)).policies.get(id);

const plain: Policy = {
  id: "gold",
  supplies: { access: true, rate: true, quota: true },
  limit: null,
  quota: null,
  throttle: null,
  accessRights: new Map(),
  inactive: false,
  metaData: {},
};
const right = { limit: null, quota: null, throttle: null, endpoints: [], unenforced: [] };

describe("a policy", () => {
  test.each([
    [{}, {}],
    [{ rate: 5, per: 1 }, { limit: limitOf(5, 1) }],
    [{ is_inactive: true }, { inactive: true }],
    [{ meta_data: { tier: "gold" } }, { metaData: { tier: "gold" } }],
    [{ meta_data: "text" }, {}],
    [{ apis: ["orders"] }, { accessRights: new Map([["orders", right]]) }],
    [{ apis: [] }, {}],
    [{ access_rights: { orders: null } }, { accessRights: new Map([["orders", right]]) }],
    [
      { access_rights: { orders: { limit: { rate: 5, per: 1 } } } },
      { accessRights: new Map([["orders", { ...right, limit: limitOf(5, 1) }]]) },
    ],
    [
      { access_rights: { orders: { limit: { rate: 0, per: 0, quota_max: 0 } } } },
      { accessRights: new Map([["orders", right]]) },
    ],
  ])("%j", (written, changed) => {
    expect(problemsOf(world(written))).toEqual([]);
    expect(policy(written)).toEqual({ ...plain, ...changed });
  });

  test("its id is id, else _id, else its name", () => {
    expect(policy({ id: "p1", _id: "p2" }, "p1")?.id).toBe("p1");
    expect(policy({ _id: "p2" }, "p2")?.id).toBe("p2");
    expect(problemsOf({ policies: { gold: {}, more: { id: "gold" } } })).toEqual([
      "CFG-ID-DUPLICATE policies.more",
    ]);
  });
});

describe("LIM-C9: quota and throttling", () => {
  test.each([
    [
      { quota_max: 5, quota_renewal_rate: 60 },
      { max: 5, renewalUs: 60_000_000 },
    ],
    [
      { quota_max: 5, quota_renewal_rate: "1h" },
      { max: 5, renewalUs: 3_600_000_000 },
    ],
    [
      { quota_max: 5, quota_renewal_rate: 0 },
      { max: 5, renewalUs: NEVER },
    ],
    [
      { quota_max: 5, quota_renewal_rate: -1 },
      { max: 5, renewalUs: NEVER },
    ],
    [{ quota_max: 5 }, { max: 5, renewalUs: NEVER }],
    [{ quota_max: 0, quota_renewal_rate: 60 }, null],
    [
      { quota_max: -1, quota_renewal_rate: 60 },
      { max: -1, renewalUs: NEVER },
    ], // what a merge takes for unlimited
    [{ quota_renewal_rate: 60 }, null],
  ])("%j", (written, quota) => {
    expect(policy(written)?.quota).toEqual(quota);
  });

  test.each([
    [
      { throttle_interval: 0.5, throttle_retry_limit: 3 },
      { intervalUs: 500_000, retryLimit: 3 },
    ],
    [{ throttle_interval: -1, throttle_retry_limit: -1 }, null],
    [{ throttle_interval: 0, throttle_retry_limit: 3 }, null],
    [{ throttle_interval: 1, throttle_retry_limit: 0 }, null],
    [{ throttle_interval: 1 }, null],
    [{ throttle_retry_limit: 3 }, null],
  ])("%j", (written, throttle) => {
    expect(policy(written)?.throttle).toEqual(throttle);
  });

  test.each([
    [{ quota_max: -2 }, "CFG-VALUE policies.gold.quota_max"],
    [{ quota_max: 1.5 }, "CFG-VALUE policies.gold.quota_max"],
    [{ quota_renewal_rate: -5 }, "CFG-VALUE policies.gold.quota_renewal_rate"],
    [{ throttle_interval: -0.5 }, "CFG-VALUE policies.gold.throttle_interval"],
    [{ throttle_interval: "often" }, "CFG-DURATION policies.gold.throttle_interval"],
    [{ throttle_retry_limit: -2 }, "CFG-VALUE policies.gold.throttle_retry_limit"],
    [{ throttle_retry_limit: "3" }, "CFG-TYPE policies.gold.throttle_retry_limit"],
  ])("%j is an error", (written, problem) => {
    expect(problemsOf(world(written))).toEqual([problem]);
  });

  test("are read in the limit of one API too, where -1 is unlimited", () => {
    const at = (limit: object): unknown =>
      policy({ access_rights: { orders: { limit } } })?.accessRights.get("orders");
    const throttled = { throttle_interval: 0.5, throttle_retry_limit: 3 };
    expect(at({ quota_max: 5, quota_renewal_rate: 60, ...throttled })).toEqual({
      ...right,
      quota: { max: 5, renewalUs: 60_000_000 },
      throttle: { intervalUs: 500_000, retryLimit: 3 },
    });
    expect(at({ quota_max: -1 })).toEqual({ ...right, quota: { max: -1, renewalUs: NEVER } });
    expect(problemsOf(world({ access_rights: { orders: { limit: { quota_max: 1.5 } } } }))).toEqual(
      ["CFG-VALUE policies.gold.access_rights.orders.limit.quota_max"],
    );
  });
});

describe("access rights", () => {
  const at = "policies.gold.access_rights.orders";

  test("EPT-C5: endpoint limits keep their order and their methods", () => {
    const limit = { rate: 5, per: 1 };
    const endpoints = [
      {
        path: "/b/{id}",
        methods: [
          { name: "get", limit },
          { name: "POST", limit: { rate: 0, per: 0 } },
        ],
      },
      {
        path: "/a",
        methods: [
          { name: "PUT", limit },
          { name: "GET", limit: null },
        ],
      },
      { path: "/c", methods: null },
    ];
    const read = policy({ access_rights: { orders: { endpoints } } })?.accessRights.get(
      "orders",
    )?.endpoints;
    expect(read).toEqual([
      { method: "GET", pattern: { text: "/b/{id}", pieces: ["/b/", ""] }, limit: limitOf(5, 1) },
      { method: "PUT", pattern: { text: "/a", pieces: ["/a"] }, limit: limitOf(5, 1) },
    ]);
  });

  test.each([
    [{ apis: ["orders"], access_rights: {} }, "CFG-CONFLICT policies.gold.apis"],
    [{ apis: ["order"] }, "CFG-UNKNOWN-API policies.gold.apis.0"],
    [{ apis: [""] }, "CFG-TYPE policies.gold.apis.0"],
    [{ access_rights: { order: {} } }, "CFG-UNKNOWN-API policies.gold.access_rights.order"],
    [{ access_rights: [] }, "CFG-TYPE policies.gold.access_rights"],
    [{ access_rights: { orders: 7 } }, `CFG-TYPE ${at}`],
    [{ access_rights: { orders: { limits: {} } } }, `CFG-UNKNOWN-FIELD ${at}.limits`],
    [
      { access_rights: { orders: { limit: { rate: 5 } } } },
      `CFG-RATE-WITHOUT-PER ${at}.limit.rate`,
    ],
    [
      { access_rights: { orders: { endpoints: [{ path: "/a?" }] } } },
      `CFG-PATTERN-CHARACTER ${at}.endpoints.0.path`,
    ],
    [
      { access_rights: { orders: { endpoints: [{ path: "/a", methods: [{ limit: {} }] }] } } },
      `CFG-REQUIRED ${at}.endpoints.0.methods.0`,
    ],
    [
      { access_rights: { orders: { endpoints: [{ path: "/a", methods: [7] }] } } },
      `CFG-TYPE ${at}.endpoints.0.methods.0`,
    ],
  ])("%j is an error", (written, problem) => {
    expect(problemsOf(world(written))).toEqual([problem]);
  });

  test("an API is referred to by its id or by its name in the map, but not twice", () => {
    const apis = { shop: { api_id: "o1", listen: "/o" } };
    const apisGranted = (gold: unknown): unknown => [
      ...(configurationOf({ apis, policies: { gold } }).policies.get("gold")?.accessRights.keys() ??
        []),
    ];
    expect(apisGranted({ apis: ["shop"] })).toEqual(["o1"]);
    expect(apisGranted({ access_rights: { o1: {} } })).toEqual(["o1"]);
    expect(
      problemsOf({ apis, policies: { gold: { access_rights: { o1: {}, shop: {} } } } }),
    ).toEqual(["CFG-CONFLICT policies.gold.access_rights.shop"]);
  });

  test("a faulty API is no unknown one", () => {
    expect(
      problemsOf({ apis: { orders: { listen: 7 } }, policies: { gold: { apis: ["orders"] } } }),
    ).toEqual(["CFG-TYPE apis.orders.listen"]);
  });

  test("a near miss of an API gets a suggestion", () => {
    expect(messages(world({ apis: ["ordres"] }))).toEqual([
      'there is no API "ordres"; did you mean "orders"?: write "orders"',
    ]);
  });
});

describe("MGT-C8: a check that the gateway does not make rejects the key, and is never passed over", () => {
  test.each([
    ["allowed_urls", [{ url: "/a", methods: ["GET"] }]],
    ["versions", ["Default", "v2"]],
    ["restricted_types", [{}]],
    ["disable_introspection", true],
  ])("%s of an access right", (name, value) => {
    const written = {
      access_rights: { orders: { api_id: "orders", api_name: "Orders", [name]: value } },
    };
    expect(problemsOf(world(written))).toEqual([
      `CFG-UNENFORCED policies.gold.access_rights.orders.${name}`,
    ]);
    expect(policy(written)?.accessRights.get("orders")?.unenforced).toEqual([name]);
  });

  test("the one version that every exported key lists restricts no client", () => {
    const written = { access_rights: { orders: { api_id: "orders", versions: ["Default"] } } };
    expect(problemsOf(world(written))).toEqual([]);
    expect(policy(written)?.accessRights.get("orders")?.unenforced).toEqual([]);
  });

  test("empty ones require nothing", () => {
    const written = {
      hmac_enabled: false,
      access_rights: {
        orders: {
          allowed_urls: [],
          versions: null,
          field_access_rights: {},
          disable_introspection: false,
        },
      },
    };
    expect(problemsOf(world(written))).toEqual([]);
    expect(policy(written)?.accessRights.get("orders")?.unenforced).toEqual([]);
  });

  test("a signature that a policy requires is required at each of its APIs", () => {
    const written = { hmac_enabled: true, apis: ["orders"] };
    expect(problemsOf(world(written))).toEqual(["CFG-UNENFORCED policies.gold.hmac_enabled"]);
    expect(policy(written)?.accessRights.get("orders")?.unenforced).toEqual(["hmac_enabled"]);
  });
});

describe("LIM-C8: the parts of a rate_limit_pattern", () => {
  test.each([
    ["$gw_meta.tenant", true],
    ["$gw_meta.a.b-c d", true],
    ["tenant", true],
    ["$gw_meta.a|$gw_meta.b", true],
    ["a||b", true],
    ["", true],
    ["|", true],
    ["$gw_meta.", false],
    ["$gw_meta", false],
    ["$meta.a", false],
    ["x$gw_meta.a", false],
    ["$gw_meta.a$gw_meta.b", false],
    ["a|b$", false],
    [7, false],
    [["$gw_meta.a"], false],
  ])("%j: %s", (pattern, allowed) => {
    const problems = allowed
      ? []
      : ["CFG-RATE-LIMIT-PATTERN policies.gold.meta_data.rate_limit_pattern"];
    expect(problemsOf(world({ meta_data: { rate_limit_pattern: pattern } }))).toEqual(problems);
  });
});

describe("short forms are strict, pasted records keep what they bring", () => {
  test.each([
    [{ rate: 5, per: 1, colour: "red" }, "CFG-UNKNOWN-FIELD policies.gold.colour"],
    [{ org_id: "o", rate: 5, per: 1, colour: "red" }, "CFG-UNUSED-FIELDS policies.gold"],
    [
      { id: "gold", colour: "red", partitions: {}, active: true },
      "CFG-UNUSED-FIELDS policies.gold",
    ],
    [{ id: "gold", ratee: 5, per: 1 }, "CFG-UNKNOWN-FIELD policies.gold.ratee"],
    [{ access_rights: { orders: { colour: "red" } } }, "CFG-UNUSED-FIELDS policies.gold"],
  ])("%j: %s", (written, problem) => {
    expect(problemsOf(world(written))).toEqual([problem]);
  });

  test("a policy as gateways of this kind export it has no near miss", () => {
    const names =
      "active state graphql_access_rights partitions enable_http_signature_validation last_updated post_expiry_action".split(
        " ",
      );
    const rest = Object.fromEntries(names.map((name) => [name, null]));
    expect(
      problemsOf(
        world({
          ...rest,
          _id: "x",
          id: "gold",
          org_id: "o",
          name: "Gold",
          tags: [],
          key_expires_in: 0,
          max_query_depth: -1,
          hmac_enabled: false,
          date_created: "2024-01-01T00:00:00Z",
        }),
      ),
    ).toEqual(["CFG-UNUSED-FIELDS policies.gold"]);
  });
});
