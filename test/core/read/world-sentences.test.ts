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
      'algorithm is one of fixed_window, sliding_log, non_transactional, sentinel, drl, token_bucket, gcra, sliding_window_counter, bounded_log, not "sliding_lag"; did you mean "sliding_log"?',
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
  [{ gateway: { burst: 0 } }, ['burst is a whole number of at least 1, or "rate", not 0']],
  [
    { gateway: { expected_gateways: 0 } },
    ["expected_gateways is a whole number of at least 1, not 0"],
  ],
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
