// The effective limits of a key with its policies, by hand: partitions, budgets of each API, budgets apart (LIM-C6,
// LIM-C9, LIM-C14).
import { expect, test } from "vitest";
import { merge, type BudgetSource } from "#src/lab/oracle/merge.ts";
import { configurationOf } from "#src/lab/oracle/reader.ts";
import type { Json } from "#src/kit/reading/shape.ts";

type Fields = { readonly [name: string]: Json };

const from = (source: BudgetSource): string =>
  typeof source === "string" ? source : `of ${source.policy}`;

/** "5 in 1 s root; quota 3 own", or "no access". */
function grantText(
  policies: Readonly<Record<string, Fields>>,
  key: Fields = {},
  gateway: Fields = {},
  api = "a",
): string {
  const configuration = configurationOf({
    policies,
    keys: { k: { apply_policies: Object.keys(policies), ...key } },
    gateway,
  });
  const grant = merge(configuration.keys.get("k")!, configuration).grantOf(api);
  if (grant === null) return "no access";
  const { chosen, quotas } = grant;
  const rate =
    chosen === null
      ? "no rate"
      : `${chosen.limit.rate} in ${chosen.limit.perUs / 1e6} s ${from(chosen.from)}`;
  return [rate, ...quotas.map((one) => `quota ${one.quota.max} ${from(one.from)}`)].join("; ");
}

const policyOf = (rate: number, ...apis: readonly string[]): Fields => ({ rate, per: 1, apis });
const apart: Fields = { policy_budgets: "apart" };
const own = { apis: ["a"], rate: 7, per: 1 };

test("an access-only policy changes no rate, and a quota-only one neither", () => {
  const acl = { ...policyOf(100, "a", "b"), partitions: { acl: true } };
  const quota = { quota_max: 3, rate: 1000, per: 1, partitions: { quota: true } };
  expect(grantText({ acl }, own)).toBe("7 in 1 s root");
  expect(grantText({ acl, quota }, own)).toBe("7 in 1 s root; quota 3 root");
  // No policy supplies access, so the key's own applies.
  expect(grantText({ quota }, own)).toBe("7 in 1 s root; quota 3 root");
  expect(grantText({ quota }, own, {}, "b")).toBe("no access");
});

test("a rate-only policy rates what others grant", () => {
  const acl = { apis: ["a"], partitions: { acl: true } };
  const rate = { rate: 5, per: 1, partitions: { rate_limit: true } };
  expect(grantText({ acl, rate })).toBe("5 in 1 s root");
  expect(grantText({ rate }, own)).toBe("5 in 1 s root");
  expect(grantText({ rate }, { access_rights: { a: { limit: { rate: 9, per: 1 } } } })).toBe(
    "9 in 1 s own",
  );
});

test("per_api gives each API of the policy its root as a limit and a quota of its own, and the key none", () => {
  const policy = {
    rate: 5,
    per: 1,
    quota_max: 3,
    access_rights: { a: {}, b: { limit: { rate: 2, per: 1 } } },
    partitions: { per_api: true },
  };
  expect(grantText({ policy })).toBe("5 in 1 s own; quota 3 own");
  expect(grantText({ policy }, {}, {}, "b")).toBe("2 in 1 s own; quota 3 own");
  const root = policyOf(9, "a", "c");
  expect(grantText({ policy, root })).toBe("9 in 1 s root; quota 3 own");
  expect(grantText({ policy, root }, {}, {}, "c")).toBe("9 in 1 s root");
});

test("per_api without access is about no API, with budgets apart too", () => {
  const idle = { rate: 100, per: 1, quota_max: 1, partitions: { per_api: true } };
  const acl = policyOf(5, "a");
  expect(grantText({ acl, idle })).toBe("5 in 1 s root");
  expect(grantText({ acl, idle }, {}, apart)).toBe("5 in 1 s of acl");
});

test("merged, the fastest root rates every API; apart, each API takes the fastest of those that grant it", () => {
  const policies = { slow: policyOf(2, "a"), fast: policyOf(50, "b") };
  expect(["a", "b"].map((api) => grantText(policies, {}, {}, api))).toEqual([
    "50 in 1 s root",
    "50 in 1 s root",
  ]);
  expect(["a", "b"].map((api) => grantText(policies, {}, apart, api))).toEqual([
    "2 in 1 s of slow",
    "50 in 1 s of fast",
  ]);
});

test("apart, a policy with a rate or a quota and no access takes part wherever others grant", () => {
  const policies = { slow: policyOf(2, "a"), everywhere: { rate: 9, per: 1, quota_max: 4 } };
  expect(grantText(policies, {}, apart)).toBe("9 in 1 s of everywhere; quota 4 of everywhere");
  expect(grantText(policies, {}, apart, "b")).toBe("no access");
});

test("of several quotas the largest is taken whole, at the API and at the key each by itself", () => {
  const one = {
    quota_max: 5,
    access_rights: { a: { limit: { quota_max: 2, quota_renewal_rate: 60 } } },
  };
  const other = {
    quota_max: 4,
    access_rights: { a: { limit: { quota_max: 3, quota_renewal_rate: 1 } } },
  };
  expect(grantText({ one, other })).toBe("no rate; quota 3 own; quota 5 root");
  expect(grantText({ one, other }, {}, apart)).toBe("no rate; quota 3 own; quota 5 of one");
  expect(grantText({ one, other: { ...other, quota_max: -1 } })).toBe("no rate; quota 3 own");
});

const GRANTS = { apis: ["a", "b"], partitions: { acl: true } };

test.each([
  ["everything", {}],
  ["its access", { partitions: { acl: true } }],
  ["its rate", { partitions: { rate_limit: true } }],
  ["its quota", { partitions: { quota: true } }],
])("a policy requires signatures whatever it supplies: %s", (_, partitions) => {
  const signs = { ...policyOf(1, "a"), hmac_enabled: true, ...partitions };
  const isClosed = (
    policies: Readonly<Record<string, Fields>>,
    api: string,
  ): boolean | undefined => {
    const configuration = configurationOf({
      policies,
      keys: { k: { apply_policies: Object.keys(policies), apis: ["a", "b"] } },
    });
    return merge(configuration.keys.get("k")!, configuration).grantOf(api)?.isUnenforced;
  };
  expect([isClosed({ signs, grants: GRANTS }, "a"), isClosed({ signs }, "a")]).toEqual([
    true,
    true,
  ]);
  expect([isClosed({ signs, grants: GRANTS }, "b"), isClosed({ grants: GRANTS }, "a")]).toEqual([
    false,
    false,
  ]);
});
