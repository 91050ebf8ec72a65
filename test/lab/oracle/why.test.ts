// The reasons of the oracle's answers: every level that has a part in it, in words.
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import { evaluateHistory } from "#src/lab/oracle/evaluate-history.ts";
import { BOUNDED, historyOf, type HistoryText, type Row } from "../../histories/history.ts";
import { api, configuration, key, policy, type VariantText } from "../../histories/world.ts";
import { evaluate, oracleWorld } from "./evaluate.ts";

const us = secondsToMicros;
const lastOf = (world: VariantText, history: HistoryText): string =>
  evaluate(world, history).rows.at(-1)?.why ?? "";
const alice = (rate: number): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 1) })],
});
const refused: Row = { at: 0.5, status: 429, by: "key" };

test("without any limit, the reason is that no limit applies", () => {
  expect(lastOf({ keys: [key("alice")] }, { rows: [{ at: 0 }] })).toBe("no limit applies");
});

test("an admission has the reasons of every level, a refusal those of the levels that refuse", () => {
  const two: VariantText = {
    ...alice(1),
    apis: [api("orders", { globalRateLimit: limitOf(9, 1) })],
  };
  expect(lastOf(two, { rows: [{ at: 0 }] })).toBe(
    "api: 0 attempts in the window, 9 allowed (LIM-7, LIM-2); key: 0 attempts in the window, 1 allowed (LIM-1)",
  );
  expect(lastOf(two, { rows: [{ at: 0 }, refused] })).toBe(
    "key: 1 attempts in the window, 1 allowed (LIM-1)",
  );
});

test("the reason of a limit from policies names LIM-3", () => {
  const gold: VariantText = {
    policies: [policy("gold", { limit: limitOf(1, 1) })],
    keys: [key("alice", { applyPolicies: ["gold"] })],
  };
  expect(lastOf(gold, { rows: [{ at: 0 }] })).toContain("(LIM-3)");
});

test("a throttled request is evaluated again", () => {
  const throttle = { intervalUs: us(0.1), retryLimit: 3 };
  const patient = { keys: [key("alice", { limit: limitOf(1, 1), throttle })] };
  expect(lastOf(patient, { rows: [{ at: 0 }, refused] })).toBe(
    "a throttled request waits and is evaluated again (LIM-C9); key: 1 attempts in the window, 1 allowed (LIM-1)",
  );
});

test("a change while the request is under way leaves it open", () => {
  const faults = [
    { kind: "configure", atUs: us(1), configuration: configuration(alice(5)) },
  ] as const;
  expect(lastOf({ ...alice(1), faults }, { rows: [{ at: 0.99, span: [1.01, 1.01] }] })).toBe(
    "a change of configuration came while the request was on its way",
  );
  const keys = [key("alice", { expiresUs: micros(1_000_000) })];
  const rows: Row[] = [{ at: 0.99, span: [0.99, 1.01] }];
  expect(lastOf({ keys }, { rows, timing: BOUNDED })).toBe("the key expires about now");
});

test("a key that expires is checked again for every request", () => {
  const keys = [key("alice", { expiresUs: micros(1_000_000) })];
  const rows: Row[] = [{ at: 0 }, { at: 0.5 }, { at: 1.5, status: 401 }];
  expect(evaluate({ keys }, { rows }).rows.map(({ why }) => why)).toEqual([
    "no limit applies",
    "no limit applies",
    "the key has expired",
  ]);
});

test("a request of an unknown flow is an error in the history", () => {
  const history = historyOf({ rows: [{ at: 0, flow: "wild" }], flows: [{ name: "wild" }] });
  expect(() => evaluateHistory(history, oracleWorld(alice(1)))).toThrow(
    'row 0 is of flow "wild", which the scenario does not have',
  );
});
