// What the oracle says of its answers: every level that has a part in it, in words.
import { expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import { micros, secondsToMicros } from "../../src/core/units.ts";
import { evaluateHistory } from "../../src/oracle/judge.ts";
import { BOUNDED, historyOf, type HistoryText, type Row } from "../histories/history.ts";
import { api, configuration, key, policy, type VariantText } from "../histories/world.ts";
import { asked, oracleWorld } from "./asked.ts";

const us = secondsToMicros;
const lastOf = (world: VariantText, history: HistoryText): string =>
  asked(world, history).rows.at(-1)?.why ?? "";
const alice = (rate: number): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 1) })],
});
const refused: Row = { at: 0.5, status: 429, by: "key" };

test("where nothing limits, that is said", () => {
  expect(lastOf({ keys: [key("alice")] }, { rows: [{ at: 0 }] })).toBe("no limit applies");
});

test("who is admitted is told of every level, and who is refused of those that refuse", () => {
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

test("a limit that comes from policies says so", () => {
  const gold: VariantText = {
    policies: [policy("gold", { limit: limitOf(1, 1) })],
    keys: [key("alice", { applyPolicies: ["gold"] })],
  };
  expect(lastOf(gold, { rows: [{ at: 0 }] })).toContain("(LIM-3)");
});

test("who waits is judged again", () => {
  const throttle = { intervalUs: us(0.1), retryLimit: 3 };
  const patient = { keys: [key("alice", { limit: limitOf(1, 1), throttle })] };
  expect(lastOf(patient, { rows: [{ at: 0 }, refused] })).toBe(
    "a throttled request waits and is evaluated again (LIM-C9); key: 1 attempts in the window, 1 allowed (LIM-1)",
  );
});

test("what came under way is open", () => {
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

test("a key that expires is asked again for every request", () => {
  const keys = [key("alice", { expiresUs: micros(1_000_000) })];
  const rows: Row[] = [{ at: 0 }, { at: 0.5 }, { at: 1.5, status: 401 }];
  expect(asked({ keys }, { rows }).rows.map(({ why }) => why)).toEqual([
    "no limit applies",
    "no limit applies",
    "the key has expired",
  ]);
});

test("a request of a flow that there is not is a mistake of whoever wrote the history", () => {
  const history = historyOf({ rows: [{ at: 0, flow: "wild" }], flows: [{ name: "wild" }] });
  expect(() => evaluateHistory(history, oracleWorld(alice(1)))).toThrow(
    'row 0 is of flow "wild", which the scenario does not have',
  );
});
