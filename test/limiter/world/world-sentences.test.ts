// The messages of the check about a world: the problem, and the correction.
import { expect, test } from "vitest";
import { messages } from "./worlds.ts";

test.each([
  [7, ["a world must be an object; got 7"]],
  [null, ["a world must be an object; got null"]],
  [{ apis: [] }, ["apis must be a map from names; got a list"]],
  [{ apis: { "": { listen: "/a" } } }, ["a name in apis must not be empty"]],
  [
    { apis: { a: { listen: "/a" }, b: { listen: "/a/" } } },
    ['listen path "/a" is taken by another entry'],
  ],
  [{ keys: { one: { key_id: "a" }, two: { key_id: "a" } } }, ['key "a" is given twice']],
  [
    { policies: { one: { id: "a" }, two: { id: "a" } } },
    ['policy id "a" is taken by another entry'],
  ],
  [
    { gateway: { algorithm: "sliding_lag" } },
    [
      'algorithm must be one of fixed_window, sliding_log, non_transactional, sentinel, drl, token_bucket, gcra, sliding_window_counter, bounded_log, leaky_bucket; got "sliding_lag"; did you mean "sliding_log"?',
    ],
  ],
  [
    { gateway: { limit_order: "something else" } },
    ['limit_order must be one of api_first, key_first; got "something else"'],
  ],
  [
    { gateway: { drl_threshold: "2" } },
    ['drl_threshold must be a number of at least 0 with at most 6 decimals; got "2"'],
  ],
  [
    { gateway: { drl_threshold: -1 } },
    ["drl_threshold must be a number of at least 0 with at most 6 decimals; got -1"],
  ],
  [{ gateway: { store_timeout: 0 } }, ["store_timeout must be above 0 and at most 100 years"]],
  [{ gateway: { store_timeout: 4e9 } }, ["store_timeout must be above 0 and at most 100 years"]],
  [{ gateway: { normalize_path: 1 } }, ["normalize_path must be true or false; got 1"]],
  [{ gateway: { burst: 0 } }, ['burst must be an integer of at least 1, or "rate"; got 0']],
  [
    { gateway: { expected_gateways: 0 } },
    ["expected_gateways must be an integer of at least 1; got 0"],
  ],
  [{ gateway: [] }, ["the gateway options must be an object; got a list"]],
  [
    { gateway: { burst: "x".repeat(61) } },
    [
      'burst must be an integer of at least 1, or "rate"; got "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."',
    ],
  ],
  [
    { gateway: { burst: "x".repeat(60) } },
    [
      'burst must be an integer of at least 1, or "rate"; got "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
    ],
  ],
  [
    { gateway: { drl_threshold: {} } },
    ["drl_threshold must be a number of at least 0 with at most 6 decimals; got an object"],
  ],
  [
    { gateway: { drl_threshold: [] } },
    ["drl_threshold must be a number of at least 0 with at most 6 decimals; got a list"],
  ],
  [
    { gateway: { drl_threshold: true } },
    ["drl_threshold must be a number of at least 0 with at most 6 decimals; got true"],
  ],
  [{ gateway: { drl_threshold: 0, expected_gateways: 1, store_timeout: 3_153_600_000 } }, []],
  [{ gateway: { queue: -1 } }, ['queue must be an integer of at least 0, or "rate"; got -1']],
  [{ gateway: { queue: "all" } }, ['queue must be an integer of at least 0, or "rate"; got "all"']],
  [
    { gateway: { throttle_max_waiting: -1 } },
    ["throttle_max_waiting must be an integer of at least 0; got -1"],
  ],
  [
    {
      gateway: { fixed_window_start: 7, sentinel_mark: 7, store_transaction: 7, on_store_error: 7 },
    },
    [
      "fixed_window_start must be one of first_request, clock; got 7",
      "sentinel_mark must be one of sliding, fixed; got 7",
      "store_transaction must be one of script, multi; got 7",
      "on_store_error must be one of local, allow, deny; got 7",
    ],
  ],
  [
    {
      gateway: {
        enable_sentinel_rate_limiter: true,
        enable_non_transactional_rate_limiter: true,
      },
    },
    ["sentinel decides; without effect: enable_non_transactional_rate_limiter: keep one of them"],
  ],
  [
    { gateway: { algorithm: "non_transactional", enable_non_transactional_rate_limiter: true } },
    [],
  ],
  [
    { gateway: { drl_expiry: 2, drl_notification_frequency: 3 } },
    [
      "heartbeats come every 3s and expire after 2s, so gateways come and go: raise drl_expiry above drl_notification_frequency",
    ],
  ],
  [
    {
      apis: {
        a: { api_id: "x", proxy: { listen_path: "/a" } },
        b: { api_id: "x", proxy: { listen_path: "/b" } },
      },
    },
    ['API id "x" is taken by another entry'],
  ],
  [{ policies: { gold: 7 } }, ["a policy must be an object; got 7"]],
  [
    { policies: { gold: { rate: 0.5, per: 1, hmac_enabled: 7 } } },
    [
      "hmac_enabled must be true or false; got 7",
      "the gateway does not enforce hmac_enabled, so it rejects the key with 403: take hmac_enabled away",
      "rate 0.5 is below 1: write rate: 1, per: 2",
    ],
  ],
  [
    { gateway: { drl_threshold: () => 1 } },
    ["drl_threshold must be a number of at least 0 with at most 6 decimals; got a function"],
  ],
  [
    {
      apis: { orders: { api_id: "o1", proxy: { listen_path: "/o" } } },
      keys: { k: { access_rights: { orders: {}, o1: {} } } },
    },
    ['API "o1" has two access rights: keep one of them'],
  ],
])("a world %j has these problems", (world: unknown, sentences) => {
  expect(messages(world)).toEqual(sentences);
});
