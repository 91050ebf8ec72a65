import { describe, expect, test } from "vitest";
import {
  merge,
  mergeMetaData,
  throttleAt,
  type MergedKey,
} from "#src/limiter/core/resolve/merge.ts";
import { EXACT_MATCHING } from "#src/limiter/core/resolve/endpoint.ts";
import { configurationOf } from "../limiters.ts";

const apis = { orders: { listen: "/orders" }, bills: { listen: "/bills" } };

/** A key of these policies, all of them of this world. */
function mergeAlice(policies: object, key: object): MergedKey {
  const { keys, policies: known } = configurationOf({
    apis,
    policies,
    keys: { alice: key },
    gateway: {},
  });
  return merge(keys.get("alice")!, known);
}

const numbers = (found: MergedKey["root"]): string | null =>
  found === null ? null : `${found.limit.rate} per ${found.limit.perUs / 1_000_000}`;
const grant = (found: MergedKey, api = "orders") => {
  const one = found.grants.get(api);
  return one === undefined ? null : { own: numbers(one.own), root: one.drawsOnRoot };
};

const policy = (rate: number, per: number, more: object = {}) => ({
  rate,
  per,
  apis: ["orders"],
  ...more,
});
const grants = (limit: object) => ({ access_rights: { orders: { limit } } });

describe("an absent limit takes no part (LIM-C4)", () => {
  const right = { limit: { rate: 3, per: 1 } };
  const own = { access_rights: { orders: right }, quota_max: 5, quota_renewal_rate: 60 };

  test.each([
    ["a", "b"],
    ["b", "a"],
  ])("%s, %s: the values of one apply to both", (one, other) => {
    const policies = {
      a: { ...own, throttle_interval: 1, throttle_retry_limit: 2 },
      b: policy(0, 0),
    };
    const found = mergeAlice(policies, { apply_policies: [one, other] });
    expect(found.root).toBeNull();
    expect(grant(found)).toEqual({ own: "3 per 1", root: false });
    expect([found.quota?.max, found.throttle?.retryLimit]).toEqual([5, 2]);
  });

  test("a key without a limit has no root", () => {
    expect(mergeAlice({}, { apis: ["orders"] }).root).toBeNull();
    expect(
      mergeAlice({ gold: { apis: ["orders"] } }, { apply_policies: ["gold"] }).root,
    ).toBeNull();
  });
});

describe("the root of several policies (LIM-5, LIM-C4)", () => {
  const three = { gold: policy(6, 3), silver: policy(5, 1), bronze: policy(4, 1) };

  test.each([
    [["gold", "silver", "bronze"], "5 per 1"], // neither the largest rate nor the longest per
    [["bronze", "gold"], "4 per 1"],
    [["gold"], "6 per 3"],
  ])("of %j is %s", (apply_policies, expected) => {
    expect(numbers(mergeAlice(three, { apply_policies }).root)).toBe(expected);
  });

  test("is the first listed of two that are equally fast", () => {
    const ties = { two: policy(2, 1), six: policy(6, 3) };
    expect(numbers(mergeAlice(ties, { apply_policies: ["two", "six"] }).root)).toBe("2 per 1");
    expect(numbers(mergeAlice(ties, { apply_policies: ["six", "two"] }).root)).toBe("6 per 3");
  });

  test("is unlimited where one is, and 0 per 0 takes no part", () => {
    const some = {
      free: policy(-1, 1),
      fast: policy(9e6, 1),
      none: policy(0, 0),
      zero: policy(0, 5),
    };
    expect(mergeAlice(some, { apply_policies: ["fast", "free"] }).root?.limit.rate).toBe(-1);
    expect(numbers(mergeAlice(some, { apply_policies: ["none", "zero"] }).root)).toBe("0 per 5");
  });

  test("supplies its own smoothing, and no other one (LIM-C4)", () => {
    const smoothing = { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 };
    const some = { slow: policy(2, 1, { smoothing }), fast: policy(3, 1) };
    expect(mergeAlice(some, { apply_policies: ["slow", "fast"] }).root?.limit.smoothing).toBeNull();
  });

  test("replaces the key's own, which applies if no policy has one (LIM-C5)", () => {
    const some = { gold: policy(5, 1), open: { apis: ["orders"] } };
    const key = { rate: 99, per: 1 };
    expect(numbers(mergeAlice(some, { ...key, apply_policies: ["gold"] }).root)).toBe("5 per 1");
    expect(numbers(mergeAlice(some, { ...key, apply_policies: ["open"] }).root)).toBe("99 per 1");
  });
});

describe("one API of several policies (LIM-6, LIM-C6)", () => {
  test.each<[string, object, object | null]>([
    ["the root, where no policy says more", { a: policy(5, 1) }, { own: null, root: true }],
    [
      "its own limit, where that alone is there",
      { a: grants({ rate: 3, per: 1 }) },
      { own: "3 per 1", root: false },
    ],
    [
      "the faster of two own limits",
      { a: grants({ rate: 3, per: 1 }), b: grants({ rate: 4, per: 1 }) },
      { own: "4 per 1", root: false },
    ],
    [
      "the root, where it is faster",
      { a: policy(5, 1), b: grants({ rate: 4, per: 1 }) },
      { own: null, root: true },
    ],
    [
      "its own limit, where that is faster than the root",
      { a: policy(5, 1), b: grants({ rate: 6, per: 1 }) },
      { own: "6 per 1", root: false },
    ],
    [
      "its own limit, where the policy that has the root does not grant it",
      { a: { rate: 9, per: 1, apis: ["bills"] }, b: grants({ rate: 4, per: 1 }) },
      { own: "4 per 1", root: false },
    ],
    ["nothing, where no policy grants it", { a: { rate: 9, per: 1, apis: ["bills"] } }, null],
  ])("draws on %s", (_, policies, expected) => {
    expect(grant(mergeAlice(policies, { apply_policies: Object.keys(policies) }))).toEqual(
      expected,
    );
  });

  test("uses the first listed of two that are equally fast", () => {
    const some = { root: policy(5, 1), own: grants({ rate: 5, per: 1 }) };
    expect(grant(mergeAlice(some, { apply_policies: ["root", "own"] }))?.root).toBe(true);
    expect(grant(mergeAlice(some, { apply_policies: ["own", "root"] }))?.own).toBe("5 per 1");
  });

  test("has the endpoints of all of them, the faster of two alike (EPT-C5)", () => {
    const endpoint = (path: string, rate: number) => ({
      path,
      methods: [{ name: "GET", limit: { rate, per: 1 } }],
    });
    const right = (...endpoints: readonly object[]) => ({
      access_rights: { orders: { endpoints } },
    });
    const some = {
      a: right(endpoint("/x", 1), endpoint("/y", 7)),
      b: right(endpoint("/y", 3), endpoint("/x", 2)),
    };
    const found = mergeAlice(some, { apply_policies: ["a", "b"] }).grants.get("orders")!.endpoints;
    expect(found.map(({ pattern, limit }) => `${pattern.text} ${limit.rate}`)).toEqual([
      "/x 2",
      "/y 7",
    ]);
  });

  test("has of one list the first of two entries alone, whatever is faster (EPT-3)", () => {
    const entry = (rate: number) => ({
      path: "/x",
      methods: [{ name: "GET", limit: { rate, per: 1 } }],
    });
    const right = (...endpoints: readonly object[]) => ({
      access_rights: { orders: { endpoints } },
    });
    const rateOf = (a: object, b: object) =>
      mergeAlice({ a, b }, { apply_policies: ["a", "b"] })
        .grants.get("orders")!
        .endpoints.map(({ limit }) => limit.rate);
    expect(rateOf(right(entry(1), entry(9)), right(entry(2), entry(7)))).toEqual([2]);
    expect(rateOf(right(entry(3), entry(9)), right(entry(2)))).toEqual([3]);
  });

  test("is refused what any of them wants checked (MGT-C8)", () => {
    const narrow = {
      access_rights: { orders: { allowed_urls: [{ url: "/a", methods: ["GET"] }] } },
    };
    const some = { narrow, wide: policy(5, 1) };
    const found = mergeAlice(some, { apply_policies: ["wide", "narrow"] });
    expect(found.grants.get("orders")?.unenforced).toEqual(["allowed_urls"]);
  });
});

describe("policies that are not there, or not in force (LIM-C7)", () => {
  const gold = { gold: policy(5, 1), frozen: policy(9, 1, { is_inactive: true }) };

  test.each([
    ["one of them is known", ["lost", "gold"], { missing: ["lost"], hasNoKnownPolicy: false }],
    [
      "none of them is known",
      ["lost", "gone"],
      { missing: ["lost", "gone"], hasNoKnownPolicy: true },
    ],
    ["none is listed", [], { missing: [], hasNoKnownPolicy: false }],
    ["one is inactive", ["gold", "frozen"], { inactive: true }],
    ["one is listed twice", ["lost", "gold", "lost"], { missing: ["lost"] }],
  ])("%s", (_, apply_policies, expected) => {
    expect(mergeAlice(gold, { apply_policies, apis: ["orders"] })).toMatchObject(expected);
  });
});

describe("a key without policies has its own rules (LIM-6)", () => {
  test("an API has its own limit, or draws on the root", () => {
    const key = {
      rate: 9,
      per: 1,
      access_rights: { orders: { limit: { rate: 2, per: 1 } }, bills: {} },
    };
    const found = mergeAlice({}, key);
    expect(grant(found)).toEqual({ own: "2 per 1", root: false });
    expect(grant(found, "bills")).toEqual({ own: null, root: true });
    expect(numbers(found.root)).toBe("9 per 1");
  });

  test("an inactive key is inactive", () => {
    expect(mergeAlice({}, { is_inactive: true }).inactive).toBe(true);
  });
});

describe("quota and throttling come whole from one policy", () => {
  const quota = (quota_max: number, quota_renewal_rate: number) =>
    policy(1, 1, { quota_max, quota_renewal_rate });
  const waits = (throttle_interval: number, throttle_retry_limit: number) =>
    policy(1, 1, { throttle_interval, throttle_retry_limit });

  test.each<[string, object, number | null]>([
    ["the largest quota", { a: quota(5, 60), b: quota(9, 60) }, 9],
    ["-1, which is larger than any number", { a: quota(5, 60), b: quota(-1, 60) }, -1],
    ["none", { a: policy(1, 1) }, null],
  ])("%s", (_, policies, max) => {
    const found = mergeAlice(policies, { apply_policies: Object.keys(policies) });
    expect(found.quota?.max ?? null).toBe(max);
  });

  test("the most patient throttling", () => {
    const found = mergeAlice({ a: waits(1, 2), b: waits(9, 3) }, { apply_policies: ["a", "b"] });
    expect(found.throttle).toMatchObject({ retryLimit: 3, intervalUs: 9_000_000 });
  });

  test("of the first that is listed, where several are as large or as patient", () => {
    const both = (seconds: number) => ({ ...quota(5, seconds), ...waits(seconds, 3) });
    const found = mergeAlice({ a: both(9), b: both(60) }, { apply_policies: ["b", "a"] });
    expect(found.quota).toMatchObject({ max: 5, renewalUs: 60_000_000 });
    expect(found.throttle).toMatchObject({ retryLimit: 3, intervalUs: 60_000_000 });
  });

  test("with budgets apart, the most patient throttling of the policies that grant the API (LIM-C6)", () => {
    const { keys, policies } = configurationOf({
      apis,
      policies: { a: waits(1, 5), b: { ...waits(2, 3), apis: ["bills"] }, c: policy(9, 1) },
      keys: { alice: { apply_policies: ["c", "b", "a"] }, bob: { apply_policies: ["c", "b"] } },
      gateway: {},
    });
    const retriesAt = (key: string, api: string, policyBudgets: "merged" | "apart") => {
      const merged = merge(keys.get(key)!, policies, { ...EXACT_MATCHING, policyBudgets });
      return throttleAt(merged, merged.grants.get(api)!)?.retryLimit ?? null;
    };
    const retries = (policyBudgets: "merged" | "apart") =>
      ["alice", "bob"].map((key) =>
        ["orders", "bills"].map((api) => retriesAt(key, api, policyBudgets)),
      );
    expect(retries("merged")).toEqual([
      [5, 5],
      [3, 3],
    ]);
    expect(retries("apart")).toEqual([
      [5, 3],
      [null, 3],
    ]);
  });

  test("the key's own, where no policy has one", () => {
    const key = {
      quota_max: 7,
      throttle_interval: 1,
      throttle_retry_limit: 4,
      apply_policies: ["a"],
    };
    const found = mergeAlice({ a: policy(1, 1) }, key);
    expect([found.quota?.max, found.throttle?.retryLimit]).toEqual([7, 4]);
  });
});

describe("metadata", () => {
  test("of policies are laid over the key's, later ones over earlier ones (LIM-C8)", () => {
    const { keys, policies } = configurationOf({
      apis,
      policies: {
        a: policy(1, 1, { meta_data: { org: "a", plan: "a" } }),
        b: policy(1, 1, { meta_data: { org: "b" } }),
      },
      keys: { alice: { apply_policies: ["a", "lost", "b"], meta_data: { org: "key", own: 1 } } },
      gateway: {},
    });
    expect(mergeMetaData(keys.get("alice")!, policies)).toEqual({ org: "b", plan: "a", own: 1 });
  });
});
