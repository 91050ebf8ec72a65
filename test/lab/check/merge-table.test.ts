import { expect, test } from "vitest";
import { mergeTables, type MergeTable } from "#src/lab/check/merge-table.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { historyOf, rowsOf } from "../../histories/history.ts";
import {
  api,
  configuration,
  key,
  policy,
  right,
  variantOf,
  type VariantText,
} from "../../histories/world.ts";

const tables = (world: VariantText): readonly MergeTable[] =>
  mergeTables(variantOf(world), historyOf({ rows: rowsOf("2*200", 0, 1.5) }));

const summarize = ({ api: at, rows, winner, retired }: MergeTable): unknown => ({
  api: at,
  rows: rows.map(({ policy: id, from, limit }) => `${id} ${from} ${limit?.rate}/${limit?.perUs}`),
  winner,
  retired: retired && `${retired.rate}/${retired.perUs}`,
});

const policyOf = (id: string, rate: number, per: number) =>
  policy(id, { limit: limitOf(rate, per) });

test("gold, silver and bronze: silver is the fastest, and the retired rule takes gold's numbers", () => {
  const policies = [policyOf("gold", 6, 3), policyOf("silver", 5, 1), policyOf("bronze", 4, 1)];
  const keys = [key("alice", { applyPolicies: ["gold", "silver", "bronze"] })];
  const [table, ...others] = tables({ policies, keys });
  expect(others).toEqual([]);
  expect(table).toMatchObject({ keys: ["alice"], sinceUs: null });
  expect(summarize(table!)).toEqual({
    api: null,
    rows: ["gold own 6/3000000", "silver own 5/1000000", "bronze own 4/1000000"],
    winner: 1,
    retired: "6/3000000",
  });
});

test("at a tie the first policy wins, and an unlimited one leaves nothing for the retired rule", () => {
  const keys = [key("alice", { applyPolicies: ["a", "b"] })];
  const [tie] = tables({ policies: [policyOf("a", 10, 2), policyOf("b", 5, 1)], keys });
  expect([tie!.winner, tie!.retired]).toEqual([0, { rate: 10, perUs: 2_000_000 }]);
  const [free] = tables({ policies: [policyOf("a", 10, 2), policyOf("b", -1, 1)], keys });
  expect([free!.winner, free!.retired]).toEqual([1, null]);
  const none = tables({ policies: [policyOf("a", 10, 2), policy("b")], keys })[0]!;
  expect([none.winner, none.retired, none.rows[1]!.limit]).toEqual([0, null, null]);
});

test("an API that a policy limits separately has a table of its own", () => {
  const rights = (limit: ReturnType<typeof limitOf> | null) => new Map([["orders", right(limit)]]);
  const policies = [
    policy("wide", { limit: limitOf(20, 1), accessRights: rights(limitOf(9, 30)) }),
    policy("bare", { limit: limitOf(2, 1), accessRights: rights(null) }),
  ];
  const found = tables({ policies, keys: [key("alice", { applyPolicies: ["wide", "bare"] })] });
  expect(found.map(summarize)).toEqual([
    {
      api: null,
      rows: ["wide own 20/1000000", "bare own 2/1000000"],
      winner: 0,
      retired: "20/1000000",
    },
    {
      api: "orders",
      rows: ["wide own 9/30000000", "bare root 20/1000000"],
      winner: 1,
      retired: "20/30000000",
    },
  ]);
});

test("keys with the same policies share one table; idle keys and keys with one policy have none", () => {
  const policies = [policyOf("a", 1, 1), policyOf("b", 2, 1)];
  const both = { applyPolicies: ["a", "b"] };
  const world = {
    apis: [api("orders")],
    policies,
    keys: [key("alice", both), key("silent", both)],
  };
  expect(tables(world).map(({ keys }) => keys)).toEqual([["alice"]]);
  expect(tables({ ...world, keys: [key("alice", { applyPolicies: ["a"] })] })).toEqual([]);
});

test("a change of the policies gives a table from its time on, and another change does not", () => {
  const keys = [key("alice", { applyPolicies: ["a", "b"] })];
  const slow = { policies: [policyOf("a", 1, 1), policyOf("b", 2, 1)], keys };
  const fast = { policies: [policyOf("a", 9, 1), policyOf("b", 2, 1)], keys };
  const faults = [slow, fast].map((world, index) => ({
    kind: "configure" as const,
    atUs: secondsToMicros(index + 0.5),
    configuration: configuration(world),
  }));
  const found = tables({ ...slow, faults });
  expect(found.map(({ sinceUs, winner }) => [sinceUs, winner])).toEqual([
    [null, 1],
    [1_500_000, 0],
  ]);
});
