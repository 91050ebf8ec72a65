// A budget that was reset (MGT-C11) is no longer counted, and a reset at another gateway applies a second later (MGT-C5).
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { checkBounds } from "#src/lab/check/budget-rules.ts";
import { evaluateHistory } from "#src/lab/oracle/evaluate-history.ts";
import { worldOf } from "#src/lab/oracle/world.ts";
import { NO_GATEWAY, NO_STATUS, type HistoryCall } from "#src/lab/scenario/history.ts";
import type { ManagementCall, Variant } from "#src/lab/scenario/types.ts";
import {
  BOUNDED,
  callMade,
  historyOf,
  rowsOf,
  type HistoryText,
  type Row,
} from "../../histories/history.ts";
import { key, variantOf, type VariantText } from "../../histories/world.ts";
import { answers } from "./evaluate.ts";

const us = secondsToMicros;

interface ResetText {
  readonly at?: number;
  readonly until?: number;
  readonly body?: string | null;
  readonly key?: string;
  readonly more?: Partial<HistoryCall>;
}

function reset({ at = 1, until = at, body = "{}", key: id = "alice", more = {} }: ResetText) {
  const path = `/admin/org/keys/${id}/budgets/reset`;
  const made: HistoryCall = {
    ...callMade("reset"),
    method: "POST",
    path,
    sentUs: us(at),
    answeredUs: us(until),
    body: {},
    ...more,
  };
  const { on, method } = made;
  const call: ManagementCall = {
    name: "reset",
    on,
    method,
    path: made.path,
    as: "valid",
    headers: {},
    body,
    atUs: us(at),
  };
  return { call, made };
}

function runWith(
  world: VariantText,
  rows: readonly Row[],
  resets: readonly ResetText[],
  more: HistoryText = {},
) {
  const flows = more.flows ?? [{ name: "only" }];
  const all = resets.map(reset);
  const variant: Variant = {
    ...variantOf({ ...world, flows }),
    calls: all.map(({ call }) => call),
  };
  const history = historyOf({ ...more, rows, flows, calls: all.map(({ made }) => made) });
  return { history, world: worldOf(variant, history)! };
}

const answersAfter = (...all: Parameters<typeof runWith>): string => {
  const { history, world } = runWith(...all);
  return answers(evaluateHistory(history, world));
};

const one: VariantText = { keys: [key("alice", { limit: limitOf(1, 100) })] };
const TWO = rowsOf("2*200", 0.5, 1); // before and after the reset

test.each<[string, ResetText, string]>([
  ["all budgets of the key", {}, "2*admit"],
  ["no body", { body: null }, "2*admit"],
  ["the named budget", { body: '{"budget": "key/100000000us|key:alice"}' }, "2*admit"],
  ["another window", { body: '{"budget": "key/10000000us|key:alice"}' }, "admit 429"],
  ["another level", { body: '{"budget": "quota/100000000us|key:alice"}' }, "admit 429"],
  ["another key", { key: "bob" }, "admit 429"],
  ["none, because the call was rejected", { more: { status: 400 } }, "admit 429"],
  [
    "none, because no gateway took the call",
    { more: { gateway: NO_GATEWAY, status: NO_STATUS, body: null } },
    "admit 429",
  ],
  ["none, because it only reads", { more: { method: "GET" } }, "admit 429"],
  ["none at another interface", { more: { on: "portal" } }, "admit 429"],
  ["none by another path", { more: { path: "/admin/org/keys/alice" } }, "admit 429"],
  ["perhaps, because the call was under way", { at: 1, until: 2 }, "admit open"],
  ["perhaps, because a request was sent meanwhile", { at: 0.4, until: 0.6 }, "admit open"],
  ["none, because it was before", { at: 0.5 }, "admit 429"],
])("a reset of %s", (_, made, words) => {
  expect(answersAfter(one, TWO, [made])).toBe(words);
});

test.each([
  "sliding_log",
  "bounded_log",
  "non_transactional",
  "sentinel",
  "fixed_window",
  "token_bucket",
  "gcra",
  "sliding_window_counter",
  "drl",
] as const)("a reset works for %s", (algorithm) => {
  const world = { ...one, options: { algorithm } };
  expect([answersAfter(world, TWO, []), answersAfter(world, TWO, [{}])]).toEqual([
    "admit 429",
    "2*admit",
  ]);
});

test("counts of one gateway are not surely reset by another", () => {
  const world = { ...one, options: { algorithm: "drl" } } as const;
  expect(answersAfter(world, TWO, [{ more: { gateway: 1 } }])).toBe("admit open");
});

test("a quota is reset too, or alone", () => {
  const quota = { max: 1, renewalUs: us(60) };
  const world = { keys: [key("alice", { limit: limitOf(9, 10), quota })] };
  const resetByName = (name: string): string =>
    answersAfter(world, TWO, [{ body: `{"budget": "${name}"}` }]);
  expect([answersAfter(world, TWO, []), answersAfter(world, TWO, [{}])]).toEqual([
    "admit 403",
    "2*admit",
  ]);
  expect([
    resetByName("quota/60000000us|key:alice"),
    resetByName("key/10000000us|key:alice"),
  ]).toEqual(["2*admit", "admit 403"]);
});

const shared = { rate_limit_pattern: "team" };
const pattern: VariantText = {
  keys: ["alice", "bob"].map((id) => key(id, { limit: limitOf(1, 100), metaData: shared })),
};

test("a budget of a pattern is reset by each key that has it, and by its name", () => {
  const name = JSON.stringify({ budget: 'key/100000000us|pattern:["team"]' });
  expect(answersAfter(pattern, TWO, [])).toBe("admit 429");
  for (const made of [{}, { key: "bob" }, { body: name }])
    expect(answersAfter(pattern, TWO, [made])).toBe("2*admit");
  expect(answersAfter(pattern, TWO, [{ key: "carol" }])).toBe("admit 429");
});

test("a budget with a pattern and smoothing has no name for a reset", () => {
  const smoothing = { threshold: 1, step: 1, trigger: 0.5, delayUs: us(50) };
  const limit = limitOf(2, 100, smoothing);
  const world = { keys: [key("alice", { limit, metaData: shared })] };
  const resetByName = (name: string): string =>
    answersAfter(world, TWO, [{ body: `{"budget": "${name}"}` }]);
  expect([resetByName("key/whatever"), resetByName("quota/whatever")]).toEqual([
    "admit open",
    "admit 429",
  ]);
});

test.each([
  [3.5, [], [1, 2, 3, 3]],
  [3.5, [{ at: 3.2 }], [1, 2, 3, 3]],
  [8, [], [1, 2, 3, 4]], // the window is full
  [8, [{ at: 3.2 }], [1, 2, 3, 2]], // it is empty, so A fell at 4 s and at 5 s, and this request raises it
])("an allowance is not spent: at %d s, after the resets %j, it is %j", (at, resets, values) => {
  const smoothing = { threshold: 1, step: 1, trigger: 0.1, delayUs: us(1) };
  const smoothed = { keys: [key("alice", { limit: limitOf(4, 10, smoothing) })] };
  const rows: Row[] = [{ at: 0 }, { at: 1.5 }, { at: 3 }, { at }];
  const { history, world } = runWith(smoothed, rows, resets);
  expect([...evaluateHistory(history, world).allowance]).toEqual(values);
});

test("a budget of an address is not the key's, and is reset by its name", () => {
  const world: VariantText = { ...one, options: { keyBy: "ip" } };
  const rows = TWO.map((row): Row => ({ ...row, from: "10.0.0.7" }));
  const of = (address: string): ResetText => ({
    body: `{"budget": "key/100000000us|ip:${address}"}`,
  });
  expect(answersAfter(world, rows, [{}])).toBe("admit 429");
  expect(answersAfter(world, rows, [of("10.0.0.7")])).toBe("2*admit");
  expect(answersAfter(world, rows, [of("10.0.0.8")])).toBe("admit 429");
});

test("a reset grants one further budget", () => {
  const broken = (resets: readonly ResetText[]): number => {
    const { history, world } = runWith(one, TWO, resets, { timing: BOUNDED });
    return checkBounds(history, world).violations.length;
  };
  expect([broken([]), broken([{}]), broken([{ at: 2 }])]).toEqual([1, 0, 1]);
});

test.each([
  [0, 1.5, "admit"],
  [1, 1.999999, "open"],
  [1, 2, "admit"],
  [1, 0.9, "403"],
])("gateway %d applies at %d s a reset that another received at 1 s: %s", (gateway, at, words) => {
  const made: HistoryCall = { ...callMade("give"), body: {} };
  const call: ManagementCall = {
    name: "give",
    on: "admin",
    method: "PUT",
    path: made.path,
    as: "valid",
    headers: {},
    body: '{"is_inactive": false}',
    atUs: us(1),
  };
  const flows = [{ name: "only" }];
  const idle = { keys: [key("alice", { inactive: true })], flows };
  const history = historyOf({ rows: [{ at, gateway }], flows, calls: [made] });
  const world = worldOf({ ...variantOf(idle), calls: [call] }, history)!;
  expect(answers(evaluateHistory(history, world))).toBe(words);
});
