import { describe, expect, test } from "vitest";
import { messages, problemsOf } from "./worlds.ts";

const apis = { orders: { listen: "/orders" }, pay: { listen: "/pay" } };
const fast = { rate: 9, per: 1, apis: ["orders"] };
const world = (policies: object, keys: object, more: object = {}): unknown => ({
  apis,
  policies,
  keys,
  ...more,
});
const alice = (...apply_policies: readonly string[]) => ({ alice: { apply_policies } });
const LOSES = ": of several policies only the highest rate and the largest quota apply: remove";

describe("a policy that loses every merge on a key (LIM-C15)", () => {
  test.each<[string, object, string | null]>([
    [
      "a slower root",
      { rate: 8, per: 1, apis: ["orders"] },
      '9 per 1 s of policy "fast" applies instead of 8 per 1 s',
    ],
    [
      "more than one number",
      {
        rate: 8,
        per: 1,
        access_rights: {
          orders: {
            endpoints: [{ path: "/a", methods: [{ name: "GET", limit: { rate: 1, per: 1 } }] }],
          },
        },
      },
      null,
    ],
    [
      "a slower limit for an API",
      { access_rights: { orders: { limit: { rate: 2, per: 1 } } } },
      '9 per 1 s of policy "fast" applies instead of 2 per 1 s for API orders',
    ],
    ["a quota that wins", { rate: 8, per: 1, quota_max: 5, apis: ["orders"] }, null],
    ["the same numbers", fast, null],
    ["access alone", { apis: ["orders", "pay"], partitions: { acl: true } }, null],
    [
      "a limit for an API that no other policy has",
      { access_rights: { pay: { limit: fast } } },
      null,
    ],
  ])("%s", (_, slow, expected) => {
    const losing = messages(world({ fast, slow }, alice("fast", "slow"))).filter((one) =>
      one.includes("loses"),
    );
    expect(losing).toEqual(
      expected === null
        ? []
        : [
            `policy "slow" loses every merge on key "alice": ${expected}${LOSES} "slow" from the key, or raise its numbers`,
          ],
    );
  });

  test("keys of which the same is true share a warning", () => {
    const slow = { rate: 8, per: 1, apis: ["orders"] };
    const key = { apply_policies: ["fast", "slow"] };
    const keys = { alice: key, bob: { ...key, count: 40 }, carol: key };
    const found = messages(world({ fast, slow }, keys)).filter((one) => one.includes("loses"));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('on key "alice" and 2 more:');
    expect(problemsOf(world({ fast, slow }, keys))).toEqual(["CFG-POLICY-LOSES keys.alice"]);
  });

  test("a quota and throttling are named as well", () => {
    const many = { quota_max: 9, quota_renewal_rate: 60, apis: ["orders"] };
    const few = { quota_max: 5, quota_renewal_rate: 60, apis: ["orders"] };
    expect(messages(world({ many, few }, alice("many", "few")))[0]).toContain(
      "a quota of 9 per 60 s applies instead of a quota of 5 per 60 s",
    );
    const twice = { apis: ["orders"], throttle_interval: 1, throttle_retry_limit: 2 };
    const once = { apis: ["orders"], throttle_interval: 1, throttle_retry_limit: 1 };
    expect(messages(world({ twice, once }, alice("twice", "once")))[0]).toContain(
      "throttling of 2 retries after 1s applies instead of throttling of 1 retries after 1s",
    );
  });
});

describe("a policy that governs elsewhere (LIM-C6)", () => {
  const slow = { rate: 3, per: 1, apis: ["pay"] };
  const governing = (policies: object, more: object = {}): readonly string[] =>
    messages(world(policies, alice(...Object.keys(policies)), more)).filter((one) =>
      one.includes("merged over"),
    );

  test("names what each API has instead of its own, and with which it shares", () => {
    expect(governing({ fast, slow })).toEqual([
      'the policies of key "alice" grant different APIs, and their limits are merged over all of them: orders has 9 per 1 s of policy "fast", shared with pay; pay has 9 per 1 s of policy "fast" instead of 3 per 1 s of policy "slow", shared with orders: set policy_budgets: apart in the gateway options for a budget of each policy\'s own APIs',
    ]);
  });

  test("names a quota that counts other APIs too", () => {
    const counted = { ...fast, quota_max: 5 };
    const own = { access_rights: { pay: { limit: { rate: 3, per: 1 } } } };
    expect(governing({ counted, own })[0]).toContain(
      "pay counts against a quota of 5 instead of none",
    );
  });

  test.each<[string, object, object]>([
    ["apart", { fast, slow }, { gateway: { policy_budgets: "apart" } }],
    ["the same APIs", { fast, slow: { ...slow, apis: ["orders"] } }, {}],
    [
      "limits of their own",
      { fast, slow: { access_rights: { pay: { limit: { rate: 3, per: 1 } } } } },
      {},
    ],
    ["one policy", { fast }, {}],
  ])("has no warning: %s", (_, policies, more) => {
    expect(governing(policies, more)).toEqual([]);
  });
});

describe("a limit that never refuses (LIM-C15)", () => {
  const never = (key: object, gateway: object = {}, orders: object = {}): readonly string[] =>
    messages({
      apis: { ...apis, orders: { ...apis.orders, ...orders } },
      keys: { alice: { apis: ["orders"], ...key } },
      gateway,
    }).filter((one) => one.includes("never refuse"));
  const quota = { quota_max: 12, quota_renewal_rate: 4 };

  test("is proved by the bound of the algorithm, window by window", () => {
    const text =
      'a quota of 12 per 4 s of key "alice" can never refuse: the root limit of 5 per 2 s is evaluated for the same requests and is tighter';
    const key = { rate: 5, per: 2, ...quota };
    expect(never(key)).toEqual([text]);
    expect(never({ ...key, quota_max: 10 })).toEqual([]); // as many as pass: it may be the one that answers
    expect(never({ ...key, quota_max: 11 })).toHaveLength(1);
    expect(never(key, { algorithm: "fixed_window" })).toEqual([]); // 9 in a window
    expect(never({ ...key, quota_max: 19 }, { algorithm: "fixed_window" })).toHaveLength(1);
    expect(
      never({ ...key, quota_max: 20 }, { algorithm: "fixed_window", fixed_window_start: "clock" }),
    ).toEqual([]);
    expect(never({ ...key, quota_max: 18 }, { algorithm: "token_bucket" })).toEqual([]);
    expect(never({ ...key, quota_max: 19 }, { algorithm: "token_bucket" })).toHaveLength(1);
  });

  test.each([
    { algorithm: "drl" },
    { algorithm: "sentinel" },
    { algorithm: "non_transactional" },
    { algorithm: "sliding_window_counter" },
    { drl_threshold: 1 },
    { store_transaction: "multi" },
    { limit_order: "key_first" },
  ])("is not proved with %j", (gateway) => {
    expect(never({ rate: 5, per: 2, ...quota }, gateway)).toEqual([]);
  });

  test("is not proved where other keys share the budget, or some requests meet another limit", () => {
    const key = { rate: 5, per: 2, ...quota };
    const pattern = { meta_data: { rate_limit_pattern: "red" } };
    expect(never({ ...key, ...pattern })).toEqual([]);
    expect(never({ ...key, apis: ["orders", "pay"] })).toHaveLength(1);
    const limit = { rate: 90, per: 2 };
    const endpoints = [{ path: "/a", methods: [{ name: "GET", limit }] }];
    expect(never({ ...key, apis: undefined, access_rights: { orders: { endpoints } } })).toEqual([
      'the limit of 90 per 2 s for endpoint GET /a of key "alice" can never refuse: a quota of 12 per 4 s is evaluated for the same requests and is tighter',
    ]);
  });

  test("a limit of the API proves it, unless an entry precedes it", () => {
    const orders = { rate: 5, per: 2 };
    expect(never({ rate: 50, per: 2 }, {}, orders)).toEqual([
      'the root limit of 50 per 2 s of key "alice" can never refuse: the limit of 5 per 2 s of API orders is evaluated for the same requests and is tighter',
    ]);
    const entry = { path: "/a", method: "GET", rate: 60, per: 2 };
    expect(never({ rate: 50, per: 2 }, {}, { ...orders, endpoints: [entry] })).toEqual([]);
    expect(never({ rate: 50, per: 2, apis: ["orders", "pay"] }, {}, orders)).toEqual([]);
    expect(never({ rate: 50, per: 2 }, {}, { ...orders, disable_rate_limit: true })).toEqual([]);
  });

  test("a smoothed limit refuses from its threshold on", () => {
    const smoothing = { enabled: true, threshold: 6, step: 2, trigger: 0.5, delay: 1 };
    const key = { rate: 50, per: 2, smoothing };
    expect(never(key, {}, { rate: 5, per: 2 })).toHaveLength(1);
    expect(never(key, {}, { rate: 6, per: 2 })).toEqual([]);
    const burst = { algorithm: "gcra" };
    expect(never({ rate: 50, per: 2 }, burst, { rate: 5, per: 2 })).toEqual([]);
    expect(
      never({ rate: 50, per: 2 }, { ...burst, burst: "rate" }, { rate: 5, per: 2 }),
    ).toHaveLength(1);
  });
});
