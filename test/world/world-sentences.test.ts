// The sentences of the check about a world: what is wrong, and what to write instead.
import { expect, test } from "vitest";
import { messages } from "./said.ts";

test.each([
  [7, ["a world is an object, not 7"]],
  [null, ["a world is an object, not null"]],
  [{ apis: [] }, ["apis is a map from names, not a list"]],
  [{ apis: { "": { listen: "/a" } } }, ["a name in apis is not empty"]],
  [
    { apis: { a: { listen: "/a" }, b: { listen: "/a/" } } },
    ['listen path "/a" is taken by another entry'],
  ],
  [{ keys: { one: { key_id: "a" }, two: { key_id: "a" } } }, ['key "a" is there twice']],
  [
    { policies: { one: { id: "a" }, two: { id: "a" } } },
    ['policy id "a" is taken by another entry'],
  ],
  [
    { gateway: { algorithm: "sliding_lag" } },
    [
      'algorithm is one of fixed_window, sliding_log, non_transactional, sentinel, drl, token_bucket, gcra, sliding_window_counter, bounded_log, leaky_bucket, not "sliding_lag"; did you mean "sliding_log"?',
    ],
  ],
  [
    { gateway: { limit_order: "something else" } },
    ['limit_order is one of api_first, key_first, not "something else"'],
  ],
  [{ gateway: { drl_threshold: "2" } }, ['drl_threshold is a number, not "2"']],
  [
    { gateway: { drl_threshold: -1 } },
    ["drl_threshold is at least 0 with at most 6 decimals, not -1"],
  ],
  [{ gateway: { store_timeout: 0 } }, ["store_timeout is above 0 and at most 100 years"]],
  [{ gateway: { store_timeout: 4e9 } }, ["store_timeout is above 0 and at most 100 years"]],
  [{ gateway: { normalize_path: 1 } }, ["normalize_path is true or false, not 1"]],
  [{ gateway: { burst: 0 } }, ['burst is an integer of at least 1, or "rate", not 0']],
  [{ gateway: { expected_gateways: 0 } }, ["expected_gateways is an integer of at least 1, not 0"]],
  [{ gateway: [] }, ["the gateway options is an object, not a list"]],
  [
    { gateway: { burst: "x".repeat(61) } },
    ['burst is a number, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."'],
  ],
  [
    { gateway: { burst: "x".repeat(60) } },
    ['burst is a number, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"'],
  ],
  [{ gateway: { drl_threshold: {} } }, ["drl_threshold is a number, not an object"]],
  [{ gateway: { drl_threshold: [] } }, ["drl_threshold is a number, not a list"]],
  [{ gateway: { drl_threshold: true } }, ["drl_threshold is a number, not true"]],
  [{ gateway: { drl_threshold: 0, expected_gateways: 1, store_timeout: 3_153_600_000 } }, []],
  [{ gateway: { throttle_max_waiting: -1 } }, ["throttle_max_waiting is an integer, not -1"]],
  [
    {
      gateway: { fixed_window_start: 7, sentinel_mark: 7, store_transaction: 7, on_store_error: 7 },
    },
    [
      "fixed_window_start is one of first_request, clock, not 7",
      "sentinel_mark is one of sliding, fixed, not 7",
      "store_transaction is one of script, multi, not 7",
      "on_store_error is one of local, allow, deny, not 7",
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
  [{ policies: { gold: 7 } }, ["a policy is an object, not 7"]],
  [
    { policies: { gold: { rate: 0.5, per: 1, hmac_enabled: 7 } } },
    [
      "hmac_enabled is true or false, not 7",
      "the gateway does not enforce hmac_enabled, so it refuses the key with 403: take hmac_enabled away",
      "rate 0.5 is below 1: write rate: 1, per: 2",
    ],
  ],
  [{ gateway: { drl_threshold: () => 1 } }, ["drl_threshold is a number, not a function"]],
  [
    {
      apis: { orders: { api_id: "o1", proxy: { listen_path: "/o" } } },
      keys: { k: { access_rights: { orders: {}, o1: {} } } },
    },
    ['API "o1" has two access rights: keep one of them'],
  ],
])("a world %j is told what is wrong with it", (world: unknown, sentences) => {
  expect(messages(world)).toEqual(sentences);
});
