import { expect, test } from "vitest";
import { CODES } from "#src/limiter/world/codes.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { oas, orders, problemsOf, withApi, withKey } from "./worlds.ts";

const smoothing = { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 };
const withEntry = (entry: object): unknown =>
  withApi({
    listen: "/orders",
    endpoints: [{ path: "/a", method: "GET", rate: 1, per: 1, ...entry }],
  });
const getA = { "/a": { get: { operationId: "getA" } } };
const tenPerSecond = { rateLimit: { rate: 10, per: "1s" } };

/** For each code a world that raises it and nothing else, and where. */
const raisedBy: Readonly<Record<keyof typeof CODES, readonly [raw: unknown, path: string]>> = {
  "CFG-TYPE": [withKey({ apis: "orders" }), "keys.alice.apis"],
  "CFG-REQUIRED": [withApi({ rate: 1, per: 1 }), "apis.orders"],
  "CFG-VALUE": [{ gateway: { store_transaction: "pipeline" } }, "gateway.store_transaction"],
  "CFG-CONFLICT": [withKey({ count: 2, key_id: "k" }), "keys.alice.count"],
  "CFG-UNKNOWN-FIELD": [withKey({ ratee: 5, per: 1 }), "keys.alice.ratee"],
  "CFG-UNUSED-FIELDS": [withKey({ org_id: "o", favourite_colour: "red" }), "keys.alice"],
  "CFG-ID-DUPLICATE": [{ keys: { alice: {}, bob: { key_id: "alice" } } }, "keys.bob"],
  "CFG-DURATION": [withKey({ rate: 1, per: "a minute" }), "keys.alice.per"],
  "CFG-RATE-RANGE": [withKey({ rate: -2, per: 1 }), "keys.alice.rate"],
  "CFG-RATE-DECIMALS": [withKey({ rate: 1.123_456_7, per: 1 }), "keys.alice.rate"],
  "CFG-RATE-FRACTION": [withKey({ rate: 0.5, per: 1 }), "keys.alice.rate"],
  "CFG-RATE-WITHOUT-PER": [withKey({ rate: 5 }), "keys.alice.rate"],
  "CFG-PER-WITHOUT-RATE": [withKey({ per: 5 }), "keys.alice.per"],
  "CFG-PER-RANGE": [withKey({ rate: 5, per: 0.0005 }), "keys.alice.per"],
  "CFG-ALLOWANCE-DIFFERS": [withKey({ rate: 5, per: 1, allowance: 4 }), "keys.alice.allowance"],
  "CFG-SMOOTHING-VALUE": [
    withKey({ rate: 5, per: 1, smoothing: { ...smoothing, step: 0 } }),
    "keys.alice.smoothing.step",
  ],
  "CFG-SMOOTHING-THRESHOLD": [
    withKey({ rate: 5, per: 1, smoothing: { ...smoothing, threshold: 6 } }),
    "keys.alice.smoothing.threshold",
  ],
  "CFG-SMOOTHING-STEPS": [
    withKey({ rate: 5, per: 1, smoothing: { ...smoothing, threshold: 1, step: 0.000001 } }),
    "keys.alice.smoothing.step",
  ],
  "CFG-SMOOTHING-NO-RATE": [withKey({ smoothing }), "keys.alice.smoothing"],
  "CFG-SMOOTHING-PLACE": [withEntry({ smoothing }), "apis.orders.endpoints.0.smoothing"],
  "CFG-SMOOTHING-TRIGGER": [
    withKey({ rate: 5, per: 1, smoothing: { ...smoothing, threshold: 2, trigger: 1.5 } }),
    "keys.alice.smoothing.trigger",
  ],
  "CFG-SMOOTHING-IGNORED": [
    withKey({ rate: 5, per: 1, smoothing }, { algorithm: "gcra" }),
    "keys.alice.smoothing",
  ],
  "CFG-SMOOTHING-OFF": [
    withKey({ rate: 5, per: 1, smoothing: { step: 1 } }),
    "keys.alice.smoothing",
  ],
  "CFG-PATTERN-CHARACTER": [withEntry({ path: "/a?" }), "apis.orders.endpoints.0.path"],
  "CFG-PATTERN-BRACES": [withEntry({ path: "/{a" }), "apis.orders.endpoints.0.path"],
  "CFG-PATTERN-SLASH": [withEntry({ path: "a" }), "apis.orders.endpoints.0.path"],
  "CFG-PATTERN-DOT-STAR": [withEntry({ path: "/.*" }), "apis.orders.endpoints.0.path"],
  "CFG-PATTERN-NEVER": [withEntry({ path: "//" }), "apis.orders.endpoints.0.path"],
  "CFG-METHOD": [withEntry({ method: "GTE" }), "apis.orders.endpoints.0.method"],
  "CFG-METHOD-UNUSUAL": [withEntry({ method: "PURGE" }), "apis.orders.endpoints.0.method"],
  "CFG-ENABLED-CONTRADICTION": [
    withEntry({ enabled: true, disabled: true }),
    "apis.orders.endpoints.0.disabled",
  ],
  "CFG-ENDPOINT-DUPLICATE": [
    withKey({
      access_rights: {
        orders: {
          endpoints: [
            { path: "/{x}", methods: [{ name: "GET", limit: { rate: 1, per: 1 } }] },
            { path: "/{y}", methods: [{ name: "get", limit: { rate: 2, per: 1 } }] },
          ],
        },
      },
    }),
    "keys.alice.access_rights.orders.endpoints.1.methods.0",
  ],
  "CFG-OAS-OPERATION-UNKNOWN": [
    withApi(oas(getA, { getB: tenPerSecond })),
    "apis.orders.x-gw-api-gateway.middleware.operations.getB",
  ],
  "CFG-OAS-OPERATION-DUPLICATE": [
    withApi(oas({ ...getA, "/b": { get: { operationId: "getA" } } }, {})),
    "apis.orders.paths./b.get.operationId",
  ],
  "CFG-LISTEN-PATH": [withApi({ listen: "orders" }), "apis.orders.listen"],
  "CFG-LISTEN-PATH-OWN": [withApi({ listen: "/metrics/" }), "apis.orders.listen"],
  "CFG-LISTEN-PATH-DUPLICATE": [{ apis: { ...orders, more: { listen: "/orders/" } } }, "apis.more"],
  "CFG-TARGET": [withApi({ listen: "/orders", target: "orders:80" }), "apis.orders.target"],
  "CFG-SHADOW-NO-LIMIT": [withApi({ listen: "/orders", shadow: true }), "apis.orders.shadow"],
  "CFG-SHADOW-SMOOTHED": [
    withKey({
      rate: 5,
      per: 1,
      shadow: true,
      smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 },
    }),
    "keys.alice.shadow",
  ],
  "CFG-PARTITIONS-PER-API": [
    { policies: { gold: { partitions: { per_api: true, acl: true } } } },
    "policies.gold.partitions.per_api",
  ],
  "CFG-UNKNOWN-API": [withKey({ apis: ["order"] }), "keys.alice.apis.0"],
  "CFG-UNKNOWN-POLICY": [
    withKey({ apply_policies: ["gold", "golf"] }),
    "keys.alice.apply_policies.1",
  ],
  "CFG-KEY-WITHOUT-LIMIT": [
    withKey({ apply_policy_id: "none", apis: ["orders"] }),
    "keys.alice.apply_policy_id",
  ],
  "CFG-KEY-REJECTED": [withKey({ apply_policy_id: "none", rate: 5, per: 1 }), "keys.alice"],
  "CFG-KEY-WITHOUT-ACCESS": [{ apis: orders, keys: { alice: { rate: 5, per: 1 } } }, "keys.alice"],
  "CFG-EXPIRES-NEVER": [withKey({ expires: 1_700_000_000_000 }), "keys.alice.expires"],
  "CFG-ACCESS-RIGHTS-UNUSED": [
    withKey({ apply_policies: ["gold"], access_rights: { orders: {} } }),
    "keys.alice.access_rights",
  ],
  "CFG-POLICY-LOSES": [
    {
      apis: orders,
      policies: {
        fast: { rate: 9, per: 1, apis: ["orders"] },
        slow: { rate: 8, per: 1, apis: ["orders"] },
      },
      keys: { alice: { apply_policies: ["fast", "slow"] } },
    },
    "keys.alice",
  ],
  "CFG-POLICY-GOVERNS-ELSEWHERE": [
    {
      apis: { ...orders, bills: { listen: "/bills" } },
      policies: {
        fast: { rate: 9, per: 1, apis: ["orders"] },
        slow: { quota_max: 9, apis: ["bills"] },
      },
      keys: { alice: { apply_policies: ["fast", "slow"] } },
    },
    "keys.alice",
  ],
  "CFG-LIMIT-NEVER-REFUSES": [
    withKey({ apis: ["orders"], rate: 9, per: 1, quota_max: 2 }),
    "keys.alice",
  ],
  "CFG-STORED-ONLY": [
    { policies: { gold: { rate: 5, per: 1, partitions: { quota: true } } } },
    "policies.gold.partitions",
  ],
  "CFG-UNENFORCED": [withKey({ hmac_enabled: true }), "keys.alice.hmac_enabled"],
  "CFG-RATE-LIMIT-PATTERN": [
    withKey({ meta_data: { rate_limit_pattern: "$other.x" } }),
    "keys.alice.meta_data.rate_limit_pattern",
  ],
  "CFG-ALGORITHM-OVERRIDDEN": [{ gateway: { algorithm: "gcra", drl_threshold: 2 } }, "gateway"],
  "CFG-DRL-EXPIRY": [{ gateway: { drl_expiry: 2 } }, "gateway"],
};

test.each(Object.entries(raisedBy))("%s is raised, in its place", (code, [raw, path]) => {
  // An unknown policy is reported at the name as well as at the key that it leaves without one.
  const others =
    code === "CFG-KEY-REJECTED" ? ["CFG-UNKNOWN-POLICY keys.alice.apply_policy_id"] : [];
  expect(problemsOf(raw)).toEqual([...others, `${code} ${path}`]);
});

test("an error leaves no configuration, a warning does", () => {
  for (const [code, [raw]] of Object.entries(raisedBy)) {
    const { configuration, problems } = readConfiguration(raw);
    const { severity } = CODES[code as keyof typeof CODES];
    expect(
      problems.every((problem) => problem.code !== code || problem.severity === severity),
    ).toBe(true);
    expect([code, configuration === null]).toEqual([code, severity === "error"]);
  }
});

test("every code has its meaning in one sentence, and its requirement", () => {
  for (const { meaning, requirement } of Object.values(CODES)) {
    expect(meaning).toMatch(/^[A-Za-z].*[^.]\.$/);
    expect(requirement).toMatch(/^[A-Z]{3}-C?\d+$/);
  }
});
