// The effect of a request on each of its levels, and the decisions that a change of the algorithm leaves open.
import { expect, test } from "vitest";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { bookOf, isInSteps } from "#src/lab/oracle/book.ts";
import type { HistorySpan } from "#src/lab/scenario/history.ts";
import { historyOf, type Row } from "../../histories/history.ts";
import {
  api,
  configuration,
  key,
  type VariantText,
  type WorldText,
} from "../../histories/world.ts";
import { answers, evaluate, oracleWorld } from "./evaluate.ts";

const us = secondsToMicros;
const quota = { max: 9, renewalUs: us(9) };
const world = (options: Partial<GatewayOptions>, more: VariantText = {}): VariantText => ({
  apis: [api("orders", { globalRateLimit: limitOf(9, 1) })],
  keys: [key("alice", { limit: limitOf(8, 1), quota })],
  options,
  ...more,
});
const keyAlone = { apis: [api("orders")] };
const noQuota = { keys: [key("alice", { limit: limitOf(8, 1) })] };
/** Only the API's limit is above the threshold, so that it is counted in the gateway. */
const mixed: Partial<GatewayOptions> = { algorithm: null, drlThreshold: 8.5 };

/** "api refused, key visited?": with a question mark if it is open whether the store counted it. */
function traces(
  text: VariantText,
  row: Omit<Row, "at">,
  spans: readonly HistorySpan[] = [],
): string {
  const history = historyOf({ rows: [{ at: 1, ...row }], spans });
  return [...bookOf(history, oracleWorld(text)).ledgers]
    .map(([name, { past }]) => {
      const [scope] = JSON.parse(name.slice(name.indexOf("["))) as [string];
      const [{ attempt }] = past as [(typeof past)[number]];
      return `${scope} ${attempt.trace}${attempt.certain ? "" : "?"}`;
    })
    .join(", ");
}

const byApi = { status: 429, by: "api" } as const;
const byKey = { status: 429, by: "key" } as const;
const byUnnamed = { status: 429 } as const;
const byQuota = { status: 403, reason: "quota", by: "quota" } as const;

test.each([
  ["a log", {}, {}, {}, "api admitted, key admitted, quota admitted"],
  ["a log", {}, {}, byApi, "api refused, key visited, quota visited"],
  ["a log", {}, {}, byKey, "api visited, key refused, quota visited"],
  ["a log", {}, {}, byQuota, "api visited, key visited, quota visited"],
  ["a log", {}, {}, { status: 403, reason: "quota" }, "api visited, key visited, quota visited"],
  ["a log", {}, {}, byUnnamed, "api refused?, key refused?, quota visited?"],
  ["a log", {}, keyAlone, byUnnamed, "key refused, quota visited"],
  ["a log", {}, keyAlone, { status: 403, reason: "access" }, "key visited?, quota visited?"],
  ["a log", {}, {}, { lost: "ended" }, "api admitted?, key admitted?, quota admitted?"],
  ["a log", {}, {}, { lost: "timeout" }, "api admitted?, key admitted?, quota admitted?"],
  ["a log", {}, {}, { lost: "unreachable" }, ""],
  ["a window", { algorithm: "fixed_window" }, {}, byKey, "api visited, key visited, quota visited"],
  [
    "a window",
    { algorithm: "fixed_window" },
    {},
    byUnnamed,
    "api visited?, key visited?, quota visited?",
  ],
  [
    "key first",
    { limitOrder: "key_first" },
    {},
    byApi,
    "key admitted, quota admitted, api refused",
  ],
  ["key first", { limitOrder: "key_first" }, {}, byKey, "key refused, quota visited, api visited"],
  [
    "commands",
    { algorithm: "non_transactional" },
    {},
    byKey,
    "api passing, key refused, quota visited",
  ],
  ["DRL beside a log", mixed, {}, byKey, "api passing, key refused, quota visited"],
  [
    "DRL beside a quota",
    { algorithm: "drl" },
    {},
    byQuota,
    "api passing, key passing, quota visited",
  ],
  ["DRL alone", { algorithm: "drl" }, noQuota, byKey, "api visited, key visited"],
] as const)("%s %j %j, with the response %j: %s", (_, options, more, row, expected) => {
  expect(traces(world(options, more), row)).toBe(expected);
});

const down: HistorySpan = {
  what: "store_down",
  gateway: null,
  fromUs: us(0.5),
  toUs: us(2),
  text: "store is down",
};

test.each([
  ["a log", {}, {}, byKey, "api admitted?, key admitted?, quota admitted?"],
  ["a log", {}, {}, {}, "api admitted?, key admitted?, quota admitted?"],
  ["DRL beside a log", mixed, noQuota, {}, "api admitted?, key admitted?"],
  ["DRL alone", { algorithm: "drl" }, noQuota, byKey, "api visited, key visited"],
  ["DRL alone", { algorithm: "drl" }, noQuota, {}, "api admitted, key admitted"],
] as const)(
  "without the store, %s %j %j, with the response %j: %s",
  (_, options, more, row, expected) => {
    expect(traces(world(options, more), row, [down])).toBe(expected);
  },
);

const becomes = (atS: number, text: WorldText): NonNullable<VariantText["faults"]>[number] => ({
  kind: "configure",
  atUs: us(atS),
  configuration: configuration(text),
});

test("a request under way when the configuration changed may have met either one", () => {
  const faults = [becomes(1.5, noQuota)];
  expect(traces(world({}, { faults, ...keyAlone }), { span: [1.6, 1.6] })).toBe("key admitted?");
  expect(traces(world({}, { faults, ...keyAlone }), { span: [1.4, 1.4] })).toBe(
    "key admitted, quota admitted",
  );
});

test.each([
  ["a log", {}, {}, false],
  ["key first", { limitOrder: "key_first" }, {}, true],
  ["key first, of one level", { limitOrder: "key_first" }, { ...keyAlone, ...noQuota }, false],
  ["commands", { algorithm: "non_transactional" }, {}, true],
  ["DRL beside a log", mixed, noQuota, true],
  ["DRL alone", { algorithm: "drl" }, noQuota, false],
] as const)("%s %j %j is in steps: %s", (_, options, more, is) => {
  const book = bookOf(historyOf({ rows: [{ at: 1 }] }), oracleWorld(world(options, more)));
  const [entry] = book.entries;
  expect(isInSteps(entry!.levels, entry!.configuration.options)).toBe(is);
});

test.each([
  [1.5, "admit open"],
  [1.999999, "admit open"],
  [2, "2*admit"],
])("a budget that another algorithm counted, at %d s: %s (LIM-C11)", (at, expected) => {
  const keys = [key("alice", { limit: limitOf(1, 1) })];
  const faults = [becomes(1, { keys, options: { algorithm: "fixed_window" } })];
  expect(answers(evaluate({ keys, faults }, { rows: [{ at: 0 }, { at }] }))).toBe(expected);
});

test("the latest request that another algorithm counted is enough, and the reason names it", () => {
  const keys = [key("alice", { limit: limitOf(1, 1) })];
  const faults = [becomes(6, { keys, options: { algorithm: "fixed_window" } })];
  const results = evaluate({ keys, faults }, { rows: [{ at: 0 }, { at: 5 }, { at: 6.5 }] });
  expect(answers(results)).toBe("2*admit open");
  expect(results.rows[2]?.why).toBe(
    "key: another algorithm counted this budget a moment ago (LIM-1)",
  );
});
