// The line that bars are compared with: what all limits together admit, or none.
import { expect, test } from "vitest";
import { secondsToMicros } from "#src/kit/units.ts";
import { binsOf } from "#src/lab/report/build/bins.ts";
import { limitLines } from "#src/lab/report/build/limits.ts";
import { REASONS, type BudgetText, type History } from "#src/lab/scenario/history.ts";
import { historyOf } from "../histories/history.ts";
const budget = (name: string, rate: number, perS = 1, scope: BudgetText["scope"] = "key") => ({
  name,
  scope,
  algorithm: "sliding_log",
  rate,
  perUs: secondsToMicros(perS),
  because: [],
});

/** One decision of each budget, a second apart; of one key, or of those named. */
function historyOfBudgets(budgets: readonly BudgetText[], keys: readonly number[] = []): History {
  const history = historyOf({ rows: budgets.map((_, second) => ({ at: second })) });
  return {
    ...history,
    header: { ...history.header, budgets },
    requests: {
      ...history.requests,
      budget: Int32Array.from(budgets, (_, index) => index),
      key: Int32Array.from(budgets, (_, index) => keys[index] ?? 0),
    },
  };
}

const [API, PATH, KEY_API] = ["api", "api-endpoint", "key-api"] as const;

test.each<[string, readonly BudgetText[], readonly string[], readonly number[]]>([
  [
    "keys that have one limit each admit the sum",
    [budget("a", 5), budget("b", 5)],
    ["limit: 2 keys × 5 per 1s"],
    [0, 1],
  ],
  [
    "keys of one window admit the sum of unlike rates",
    [budget("a", 5), budget("b", 2.5), budget("c", 5)],
    ["limit: 12.5 per 1s, of 3 keys together"],
    [0, 1, 2],
  ],
  [
    "limits of one key at several APIs, and of several paths, are divided among requests, too",
    [budget("a", 5, 1, KEY_API), budget("b", 5, 1, KEY_API)],
    ["limit: 2 budgets × 5 per 1s"],
    [0, 0],
  ],
  [
    "an API and a path of it divide its requests",
    [budget("a", 5, 1, API), budget("a GET /x", 2, 1, PATH)],
    ["limit: 7 per 1s, of 2 budgets together"],
    [0, 1],
  ],
  [
    "keys that share a budget at one rate have one limit",
    [budget("key/1000000us|pattern", 5), budget("key/1000000us|pattern", 5)],
    ["limit: 5 per 1s"],
    [0, 1],
  ],
  [
    "keys that share a budget and have other rates have no sum",
    [budget("key/1000000us|pattern", 5), budget("key/1000000us|pattern", 10)],
    [],
    [0, 1],
  ],
  [
    "an API's limit and those of its keys have no sum",
    [budget("a", 5, 1, API), budget("b", 5)],
    [],
    [0, 0],
  ],
  ["other windows have no sum", [budget("a", 5), budget("b", 90, 10)], [], [0, 1]],
  [
    "limits of which one changes have no sum",
    [budget("a", 5), budget("b", 5), budget("a", 6)],
    [],
    [0, 1, 0],
  ],
  ["a quota is no rate", [budget("a", 5, 3_600, "quota")], [], [0]],
  ["what admits nothing is no line", [budget("a", 0)], [], [0]],
  ["a line far above all traffic would press it flat", [budget("a", 31)], [], [0]],
])("%s", (_, budgets, expected, keys) => {
  const history = historyOfBudgets(budgets, keys);
  const lines = limitLines(history, binsOf(history), 10);
  expect(lines.map(({ what }) => what)).toEqual(expected);
});

test("a sum is as high as what is admitted together", () => {
  const history = historyOfBudgets([budget("a", 20, 10), budget("b", 20, 10)], [0, 1]);
  expect(limitLines(history, binsOf(history), 4)[0]!.values).toEqual([4, 4]);
});

test("with traffic without a limit no line is the most that may be admitted, and earlier limits may be exceeded", () => {
  const history = historyOfBudgets([budget("a", 5), budget("a", 5), budget("a", 5)]);
  const freed = { ...history.requests, budget: Int32Array.of(0, 1, -1) };
  const lines = (requests: History["requests"]) =>
    limitLines({ ...history, requests }, binsOf(history), 10).map(({ what }) => what);
  expect(lines(freed)).toEqual(["limit: 5 per 1s"]);
  expect(lines({ ...freed, key: Int32Array.of(0, 0, 1) })).toEqual([]);
  const rejected = {
    status: Uint16Array.of(200, 200, 401),
    reason: Uint8Array.of(0, 0, REASONS.indexOf("credential")),
  };
  expect(lines({ ...freed, key: Int32Array.of(0, 0, 1), ...rejected })).toEqual([
    "limit: 5 per 1s",
  ]);
});

test.each<[string, readonly BudgetText[], string, readonly number[], readonly number[]]>([
  [
    "a limit that is changed is a line with a step, from the first decision by the new one",
    [budget("a", 12), budget("a", 12), budget("a", 6)],
    "limit: 12 per 1s, then 6 per 1s",
    [0, 2],
    [12, 6, 6],
  ],
  [
    "a limit that is changed back is in force again",
    [budget("a", 5), budget("a", 10), budget("a", 10), budget("a", 5)],
    "limit: 5 per 1s, then 10 per 1s, then 5 per 1s",
    [0, 1, 3],
    [5, 10, 5, 5],
  ],
  [
    "a limit of another window is the same limit, though its budget has another name",
    [budget("key/1000000us|key:a", 7), budget("key/2000000us|key:a", 12, 2)],
    "limit: 7 per 1s, then 12 per 2s (line: average per second; a bar covers less than the window and may exceed it)",
    [0, 1],
    [7, 6, 6],
  ],
  [
    "what a gateway counts by itself in an outage is the same limit",
    [budget("key/1000000us|key:a", 7), budget("fallback/key/1000000us|key:a", 7)],
    "limit: 7 per 1s",
    [0],
    [7, 7],
  ],
  [
    "of a limit that is changed often the first four are told, and how many there are more",
    [1, 2, 3, 2, 1, 3].map((rate) => budget("a", rate)),
    "limit: 1 per 1s, then 2 per 1s, then 3 per 1s, then 2 per 1s, and 2 more",
    [0, 1, 2, 3, 4, 5],
    [1, 2, 3, 2, 1, 3, 3],
  ],
])("%s", (_, budgets, what, at, values) => {
  const history = historyOfBudgets(budgets);
  const { untilS } = binsOf(history);
  expect(limitLines(history, binsOf(history), 12)[0]).toEqual({
    what,
    at: [...at, untilS],
    values,
  });
});
