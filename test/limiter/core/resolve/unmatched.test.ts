import { describe, expect, test } from "vitest";
import { EXACT_MATCHING } from "#src/limiter/core/resolve/endpoint.ts";
import { merge } from "#src/limiter/core/resolve/merge.ts";
import { listUnmatched } from "#src/limiter/core/resolve/unmatched.ts";
import { configurationOf } from "../limiters.ts";

const per1 = (rate: number) => ({ rate, per: 1 });
const entry = (path: string, rate: number, method = "GET") => ({ path, method, rate, per: 1 });
const own = (path: string, rate: number, per = 1) => ({
  path,
  methods: [{ name: "GET", limit: { rate, per } }],
});

/** The limits that GET /a of alice, or of no key, does not meet at the API of orders, a line each. */
function listLines(
  api: object,
  alice: object | null,
  policies: object = {},
  gateway: object = {},
): readonly string[] {
  const { apis, keys, options, ...rest } = configurationOf({
    apis: { orders: { listen: "/orders", ...api }, bills: { listen: "/bills" } },
    policies,
    keys: alice === null ? {} : { alice },
    gateway,
  });
  const key = keys.get("alice") ?? null;
  return listUnmatched({
    api: apis.get("orders")!,
    key,
    merged: key === null ? null : merge(key, rest.policies, options),
    policies: rest.policies,
    method: "GET",
    path: "/a",
    matching: EXACT_MATCHING,
  }).map(({ level, where, rate, per, reason, text }) =>
    [level, where, `${rate}/${per}`, reason, text].join(" | "),
  );
}

const orders = (right: object, more: object = {}) => ({
  access_rights: { orders: right },
  ...more,
});

describe("limits of the API that a request does not meet, and why", () => {
  test.each<[string, Parameters<typeof listLines>, readonly string[]]>([
    [
      "an endpoint's limit is met by the first entry that matches",
      [
        {
          ...per1(9),
          endpoints: [entry("/a", 1, "POST"), entry("/b", 2), entry("/{x}", 3), entry("/a", 4)],
        },
        null,
      ],
      [
        "api-endpoint | API orders, endpoint POST /a | 1/1 | other_method | it is for POST, not for GET",
        "api-endpoint | API orders, endpoint GET /b | 2/1 | other_path | /b does not match /a",
        "api-endpoint | API orders, endpoint GET /a | 4/1 | behind_another_entry | GET /{x} is tried before it and matches",
        "api | API orders, global_rate_limit | 9/1 | less_specific | the limit of endpoint GET /{x} is more specific",
      ],
    ],
    [
      "an unlimited entry ends the search, and says so",
      [{ endpoints: [entry("/a", -1)] }, null],
      [
        "api-endpoint | API orders, endpoint GET /a | -1/1 | unlimited | rate -1 is unlimited and ends the search (LIM-C10)",
        "api | API orders, global_rate_limit | null/null | absent | there is no such limit",
      ],
    ],
    [
      "so does an unlimited API",
      [{ ...per1(-1), endpoints: [entry("/b", 2)] }, null],
      [
        "api-endpoint | API orders, endpoint GET /b | 2/1 | other_path | /b does not match /a",
        "api | API orders, global_rate_limit | -1/1 | unlimited | rate -1 is unlimited (LIM-C10)",
      ],
    ],
    [
      "nothing, with disable_rate_limit (LIM-9)",
      [{ ...per1(9), disable_rate_limit: true, endpoints: [entry("/a", 1)] }, orders({}, per1(5))],
      [
        "api-endpoint | API orders, endpoint GET /a | 1/1 | disable_rate_limit | the API has disable_rate_limit (LIM-9)",
        "api | API orders, global_rate_limit | 9/1 | disable_rate_limit | the API has disable_rate_limit (LIM-9)",
        "key | any limit of a key | null/null | disable_rate_limit | the API has disable_rate_limit (LIM-9)",
      ],
    ],
  ])("%s", (_, input, lines) => {
    expect(listLines(...input)).toEqual(lines);
  });
});

describe("limits of the key and its policies that a request does not meet, and why", () => {
  test.each<[string, Parameters<typeof listLines>, readonly string[]]>([
    ["nothing, without access", [{}, {}], []],
    [
      "the key's root",
      [{}, orders({}, per1(5))],
      [
        "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
      ],
    ],
    [
      "an unlimited root",
      [{}, orders({}, per1(-1))],
      [
        "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
        "key | the key with its policies, root limit | -1/1 | unlimited | rate -1 is unlimited (LIM-C10)",
      ],
    ],
    [
      "its limit for the API",
      [{}, orders({ limit: per1(3) }, per1(5))],
      [
        "key | the key with its policies, root limit | 5/1 | less_specific | the limit for API orders, 3 per 1 s, is more specific",
      ],
    ],
    [
      "its limit for the API, though that admits nothing",
      [{}, orders({ limit: per1(0) }, per1(5))],
      [
        "key | the key with its policies, root limit | 5/1 | less_specific | the limit for API orders, 0 per 1 s, is more specific",
      ],
    ],
    [
      "a policy's limit for the API, where none has a root",
      [{}, { apply_policies: ["gold"] }, { gold: orders({ limit: per1(3) }) }],
      ["key | the key with its policies, root limit | null/null | absent | there is no such limit"],
    ],
    [
      "the same, without a root",
      [{}, orders({ limit: per1(3) })],
      ["key | the key with its policies, root limit | null/null | absent | there is no such limit"],
    ],
    [
      "an unlimited one for the API",
      [{}, orders({ limit: per1(-1) }, { rate: 5, per: 0.5 })],
      [
        "key-api | the key with its policies, limit for API orders | -1/1 | unlimited | rate -1 is unlimited (LIM-C10)",
        "key | the key with its policies, root limit | 5/0.5 | less_specific | the limit for API orders, unlimited, is more specific",
      ],
    ],
    [
      "its limit for the endpoint",
      [{}, orders({ limit: per1(3), endpoints: [own("/a", 2), own("/b", 1)] }, per1(5))],
      [
        "key-endpoint | the key with its policies, endpoint GET /b | 1/1 | other_path | /b does not match /a",
        "key-api | the key with its policies, limit for API orders | 3/1 | less_specific | the limit of endpoint GET /a is more specific",
        "key | the key with its policies, root limit | 5/1 | less_specific | the limit for API orders, 3 per 1 s, is more specific",
      ],
    ],
    [
      "the same, without one for the API",
      [{}, orders({ endpoints: [own("/a", 2)] }, per1(5))],
      [
        "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
        "key | the key with its policies, root limit | 5/1 | less_specific | the limit of endpoint GET /a is more specific",
      ],
    ],
    [
      "what the fastest of several policies says (LIM-5, LIM-C4 to LIM-C7)",
      [
        {},
        {
          apply_policies: ["gold", "silver", "tie", "lead", "other"],
          ...orders({ limit: per1(7), endpoints: [own("/a", 1)] }, per1(8)),
        },
        {
          gold: {
            ...per1(4),
            access_rights: { orders: { limit: per1(6), endpoints: [own("/a", 4)] } },
          },
          silver: {
            ...per1(3),
            access_rights: { orders: { limit: per1(5), endpoints: [own("/a", 3), own("/b", 1)] } },
          },
          tie: {
            rate: 8,
            per: 2,
            access_rights: {
              orders: { limit: { rate: 12, per: 2 }, endpoints: [own("/a", 8, 2)] },
            },
          },
          other: { apis: [] },
        },
      ],
      [
        "key-endpoint | the key with its policies, endpoint GET /b | 1/1 | other_path | /b does not match /a",
        "key-api | the key with its policies, limit for API orders | 6/1 | less_specific | the limit of endpoint GET /a is more specific",
        "key | the key with its policies, root limit | 4/1 | less_specific | the limit for API orders, 6 per 1 s, is more specific",
        "key | policy silver, root limit | 3/1 | lost_the_merge | 4 per 1 s is the higher effective rate (LIM-5)",
        "key-api | policy silver, limit for API orders | 5/1 | lost_the_merge | 6 per 1 s is the higher effective rate (LIM-5)",
        "key-endpoint | policy silver, endpoint GET /a | 3/1 | lost_the_merge | 4 per 1 s is the higher effective rate (LIM-5)",
        "key | policy tie, root limit | 8/2 | lost_the_merge | 4 per 1 s is as fast and listed first (LIM-C4)",
        "key-api | policy tie, limit for API orders | 12/2 | lost_the_merge | 6 per 1 s is as fast and listed first (LIM-C4)",
        "key-endpoint | policy tie, endpoint GET /a | 8/2 | lost_the_merge | 4 per 1 s is as fast and listed first (LIM-C4)",
        "key-api | policy other | null/null | no_access_right | it grants nothing at API orders",
        "key | policy lead | null/null | unknown_policy | there is no such policy (LIM-C7)",
        "key | key alice, root limit | 8/1 | replaced_by_policies | a policy has a root limit, so 4 per 1 s applies (LIM-C5)",
        "key-api | key alice, limit for API orders | 7/1 | replaced_by_policies | access and its limits come from the policies alone (LIM-C5)",
        "key-endpoint | key alice, endpoint GET /a | 1/1 | replaced_by_policies | access and its limits come from the policies alone (LIM-C5)",
      ],
    ],
    [
      "a root that is faster than a limit for the API (LIM-C6)",
      [
        {},
        { apply_policies: ["gold", "silver"] },
        {
          gold: { ...per1(9), apis: ["orders"] },
          silver: orders({ limit: per1(5) }),
        },
      ],
      [
        "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
        "key-api | policy silver, limit for API orders | 5/1 | lost_the_merge | 9 per 1 s is the higher effective rate (LIM-5)",
      ],
    ],
    [
      "the key's root, where no policy has one",
      [
        {},
        { apply_policies: ["gold"], ...orders({ endpoints: [own("/a", 1)] }, per1(8)) },
        { gold: { apis: ["orders"] } },
      ],
      [
        "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
        "key-endpoint | key alice, endpoint GET /a | 1/1 | replaced_by_policies | access and its limits come from the policies alone (LIM-C5)",
      ],
    ],
    [
      "the root of a policy, which replaces the key's own limit for the API",
      [
        {},
        { apply_policies: ["gold"], ...orders({ limit: per1(2) }) },
        { gold: { ...per1(9), apis: ["orders"] } },
      ],
      [
        "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
        "key-api | key alice, limit for API orders | 2/1 | replaced_by_policies | access and its limits come from the policies alone (LIM-C5)",
      ],
    ],
    [
      "nothing, where only the key itself would grant something",
      [
        {},
        { apply_policies: ["gold"], ...orders({ limit: per1(2), endpoints: [own("/a", 1)] }) },
        { gold: { ...per1(-1), apis: ["bills"] } },
      ],
      [
        "key-api | policy gold | null/null | no_access_right | it grants nothing at API orders",
        "key-api | key alice, limit for API orders | 2/1 | replaced_by_policies | access and its limits come from the policies alone (LIM-C5)",
        "key-endpoint | key alice, endpoint GET /a | 1/1 | replaced_by_policies | access and its limits come from the policies alone (LIM-C5)",
      ],
    ],
    [
      "nothing, where the policies grant nothing",
      [{}, { apply_policies: ["gold"] }, { gold: { ...per1(-1) } }],
      ["key-api | policy gold | null/null | no_access_right | it grants nothing at API orders"],
    ],
    [
      "the key's own, where no policy is known",
      [{}, { apply_policies: ["lead"], ...orders({ limit: per1(2) }, per1(8)) }],
      [
        "key | the key with its policies, root limit | 8/1 | less_specific | the limit for API orders, 2 per 1 s, is more specific",
        "key | policy lead | null/null | unknown_policy | there is no such policy (LIM-C7)",
      ],
    ],
  ])("%s", (_, input, lines) => {
    const absent =
      "api | API orders, global_rate_limit | null/null | absent | there is no such limit";
    expect(listLines(...input)).toEqual([absent, ...lines]);
  });
});

describe("what partitions and budgets apart leave out (LIM-C14, LIM-C6)", () => {
  const alice = { apply_policies: ["gold", "silver"] };
  const gold = { ...per1(5), apis: ["orders"] };

  test("numbers that a policy does not supply", () => {
    const right = { limit: per1(3), endpoints: [own("/a", 1)] };
    const silver = orders(right, { ...per1(9), partitions: { quota: true } });
    expect(listLines({}, alice, { gold, silver })).toEqual([
      "api | API orders, global_rate_limit | null/null | absent | there is no such limit",
      "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
      "key | policy silver, root limit | 9/1 | not_supplied | the partitions of the policy leave out rate_limit (LIM-C14)",
      "key-api | policy silver, limit for API orders | 3/1 | not_supplied | the partitions of the policy leave out rate_limit (LIM-C14)",
      "key-endpoint | policy silver, endpoint GET /a | 1/1 | not_supplied | the partitions of the policy leave out rate_limit (LIM-C14)",
    ]);
  });

  test("the key's own limits are met where no policy supplies a rate", () => {
    const silver = { apis: ["orders"], partitions: { acl: true } };
    const key = { apply_policies: ["silver"], ...orders({ limit: per1(3) }, per1(2)) };
    expect(listLines({}, key, { silver })).toEqual([
      "api | API orders, global_rate_limit | null/null | absent | there is no such limit",
      "key | the key with its policies, root limit | 2/1 | less_specific | the limit for API orders, 3 per 1 s, is more specific",
    ]);
  });

  test("a policy for another API loses nothing apart, and its root merged", () => {
    const silver = { ...per1(3), apis: ["bills"] };
    const lost =
      "key | policy silver, root limit | 3/1 | lost_the_merge | 5 per 1 s is the higher effective rate (LIM-5)";
    expect(listLines({}, alice, { gold, silver })).toContain(lost);
    expect(listLines({}, alice, { gold, silver }, { policy_budgets: "apart" })).toEqual([
      "api | API orders, global_rate_limit | null/null | absent | there is no such limit",
      "key-api | the key with its policies, limit for API orders | null/null | absent | there is no such limit",
      "key-api | policy silver | null/null | no_access_right | it grants nothing at API orders",
    ]);
  });
});
