import { expect, test } from "vitest";
import type { Key, Policy } from "#src/limiter/core/config.ts";
import { limitOf, type Limit } from "#src/limiter/core/limit.ts";
import { NEVER, secondsToMicros } from "#src/kit/units.ts";
import { merge, type Merged } from "#src/lab/oracle/merge.ts";
import { endpoint, key, policy, right } from "../../histories/world.ts";
import { readWorld } from "./evaluate.ts";

function mergeKey(
  policies: readonly Policy[],
  applyPolicies: readonly string[],
  own: Partial<Key> = {},
): Merged {
  const world = readWorld({ policies, keys: [key("alice", { applyPolicies, ...own })] });
  return merge(world.keys.get("alice")!, world);
}

const grantOf = (
  policies: readonly Policy[],
  own: Partial<Key> = {},
  order = policies.map(({ id }) => id),
) => mergeKey(policies, order, own).grantOf("orders");

const text = (limit: Limit | undefined): string =>
  limit === undefined ? "none" : `${limit.rate}/${limit.perUs / 1e6}`;
const chosen = (...args: Parameters<typeof grantOf>): string => {
  const found = grantOf(...args)?.chosen;
  return found === null || found === undefined
    ? "none"
    : `${text(found.limit)}${found.from === "own" ? " own" : ""}`;
};
const root = (id: string, rate: number, per: number): Policy =>
  policy(id, { limit: limitOf(rate, per) });
const own = (id: string, limit: Limit | null, rootLimit: Limit | null = null): Policy =>
  policy(id, { limit: rootLimit, accessRights: new Map([["orders", right(limit)]]) });

const GOLD = root("gold", 6, 3);
const SILVER = root("silver", 5, 1);
const BRONZE = root("bronze", 4, 1);

test.each([
  [["gold", "silver", "bronze"]],
  [["bronze", "silver", "gold"]],
  [["silver", "gold", "bronze"]],
])("of %j the highest effective rate supplies both numbers (LIM-5)", (order) => {
  expect(chosen([GOLD, SILVER, BRONZE], {}, order)).toBe("5/1");
});

test("of equal effective rates the first listed stays (LIM-C4)", () => {
  const [a, b] = [root("a", 10, 60), root("b", 5, 30)];
  expect([chosen([a, b], {}, ["a", "b"]), chosen([a, b], {}, ["b", "a"])]).toEqual([
    "10/60",
    "5/30",
  ]);
});

test("effective rates are compared as fractions", () => {
  const [a, b] = [root("a", 0.3, 0.9), root("b", 1, 3)];
  expect(chosen([a, b])).toBe("0.3/0.9");
});

test("unlimited beats every number, and 0/0 takes no part (LIM-C4)", () => {
  const free = root("free", -1, 1);
  expect([chosen([SILVER, free]), chosen([free, SILVER])]).toEqual(["-1/1", "-1/1"]);
  expect(chosen([free, root("open", -1, 2)])).toBe("-1/1");
  expect(chosen([policy("nothing"), SILVER])).toBe("5/1");
  const three = own("three", limitOf(3, 1));
  expect([chosen([policy("nothing"), three]), chosen([three, policy("nothing")])]).toEqual([
    "3/1 own",
    "3/1 own",
  ]);
});

test("a policy's root replaces the key's own, and without one the key's own applies (LIM-C5)", () => {
  expect(chosen([BRONZE], { limit: limitOf(50, 1) })).toBe("4/1");
  expect(chosen([policy("nothing")], { limit: limitOf(50, 1) })).toBe("50/1");
});

test("per API the own limits and the merged root are candidates (LIM-C6)", () => {
  expect(chosen([own("a", limitOf(7, 1)), SILVER])).toBe("7/1 own");
  expect(chosen([own("a", limitOf(3, 1)), SILVER])).toBe("5/1");
  expect(chosen([own("a", limitOf(3, 1), limitOf(99, 1))])).toBe("3/1 own");
});

test("of an own limit and a root that are equal, the place in the list decides (LIM-C6)", () => {
  const a = own("a", limitOf(5, 1));
  expect([
    chosen([a, SILVER], {}, ["a", "silver"]),
    chosen([a, SILVER], {}, ["silver", "a"]),
  ]).toEqual(["5/1 own", "5/1"]);
});

test("with a known policy the key's own access rights are stored only (LIM-C5)", () => {
  const nowhere = policy("nowhere", { limit: limitOf(1, 1), accessRights: new Map() });
  expect(grantOf([nowhere])).toBeNull();
  expect(chosen([], { limit: limitOf(3, 1) })).toBe("3/1");
});

test("unknown policies are skipped while one is known (LIM-C7)", () => {
  const known = mergeKey([SILVER], ["gone", "silver"]);
  const lost = mergeKey([], ["gone"]);
  expect([known.lost, lost.lost]).toEqual([false, true]);
});

test("an inactive policy makes the key inactive (LIM-C7)", () => {
  const policies = [SILVER, policy("asleep", { inactive: true })];
  expect(mergeKey(policies, ["silver", "asleep"]).inactive).toBe(true);
});

test("one policy with a throttle is enough, and so is one right with a restriction that is not enforced", () => {
  const throttle = { intervalUs: secondsToMicros(1), retryLimit: 2 };
  const versions = { ...right(), unenforced: ["versions"] };
  const policies = [
    SILVER,
    policy("patient", { throttle }),
    policy("strict", { accessRights: new Map([["orders", versions]]) }),
  ];
  const isThrottled = (...applyPolicies: string[]): boolean | undefined =>
    grantOf(policies, {}, applyPolicies)?.isThrottled;
  expect([isThrottled("silver"), isThrottled("silver", "patient")]).toEqual([false, true]);
  expect([
    grantOf(policies, {}, ["silver", "patient"])?.isUnenforced,
    grantOf(policies, {}, ["silver", "strict"])?.isUnenforced,
    grantOf([], { accessRights: new Map([["orders", versions]]) })?.isUnenforced,
    grantOf([])?.isUnenforced,
  ]).toEqual([false, true, true, false]);
});

test("endpoint limits are merged one by one, where they are first seen (EPT-C5)", () => {
  const a = policy("a", {
    accessRights: new Map([
      [
        "orders",
        right(null, [endpoint("GET", "/x", limitOf(1, 1)), endpoint("GET", "/y", limitOf(9, 1))]),
      ],
    ]),
  });
  const b = policy("b", {
    accessRights: new Map([
      [
        "orders",
        right(null, [endpoint("POST", "/x", limitOf(4, 1)), endpoint("GET", "/x", limitOf(2, 1))]),
      ],
    ]),
  });
  const merged = grantOf([a, b])?.endpoints.map(
    ({ method, pattern, limit }) => `${method} ${pattern.text} ${text(limit)}`,
  );
  expect(merged).toEqual(["GET /x 2/1", "GET /y 9/1", "POST /x 4/1"]);
});

test("of one list the first of two entries alone is merged, whatever is faster (EPT-3)", () => {
  const of = (id: string, ...rates: readonly number[]): Policy =>
    policy(id, {
      accessRights: new Map([
        [
          "orders",
          right(
            null,
            rates.map((rate) => endpoint("GET", "/x", limitOf(rate, 1))),
          ),
        ],
      ]),
    });
  const rates = (...policies: readonly Policy[]): readonly number[] | undefined =>
    grantOf(policies)?.endpoints.map(({ limit }) => limit.rate);
  expect(rates(of("a", 1, 9), of("b", 2, 7))).toEqual([2]);
  expect(rates(of("a", 3, 9), of("b", 2))).toEqual([3]);
});

test("of entries that are one, the fastest supplies the spelling that names its budget (EPT-C5)", () => {
  const of = (id: string, path: string, rate: number): Policy =>
    policy(id, {
      accessRights: new Map([["orders", right(null, [endpoint("GET", path, limitOf(rate, 1))])]]),
    });
  const spelling = (...policies: readonly Policy[]): readonly string[] | undefined =>
    grantOf(policies)?.endpoints.map(({ pattern }) => pattern.text);
  expect(spelling(of("a", "/x/{id}", 1), of("b", "/x/{name}", 2))).toEqual(["/x/{name}"]);
  expect(spelling(of("a", "/x/{id}", 2), of("b", "/x/{name}", 2))).toEqual(["/x/{id}"]);
});

const quotaOf = (id: string, max: number, renewal: number): Policy =>
  policy(id, { quota: { max, renewalUs: secondsToMicros(renewal) } });

test.each([
  ["the largest brings its own renewal", [quotaOf("a", 5, 60), quotaOf("b", 9, 10)], 9, 10],
  ["of equals the first", [quotaOf("a", 5, 60), quotaOf("b", 5, 10)], 5, 60],
  ["none takes no part", [policy("a"), quotaOf("b", 5, 10)], 5, 10],
  ["nor behind another", [quotaOf("b", 5, 10), policy("a")], 5, 10],
])("quota: %s (LIM-C9)", (_, policies, max, renewal) => {
  const quota = { max, renewalUs: secondsToMicros(renewal) };
  expect(grantOf(policies)?.quotas).toEqual([{ quota, from: "root" }]);
});

test("an unlimited quota wins, and without any policy's quota the key's own applies (LIM-C9)", () => {
  const own = { quota: { max: 3, renewalUs: NEVER } };
  const policies = [quotaOf("a", 5, 60), quotaOf("free", -1, 60), policy("none")];
  expect(grantOf(policies, own, ["a", "free"])?.quotas).toEqual([]);
  expect(grantOf(policies, own, ["none"])?.quotas).toEqual([{ ...own, from: "root" }]);
});
