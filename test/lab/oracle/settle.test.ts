// Where A moves at the very edge of a time, and how long it is remembered.
import { expect, test } from "vitest";
import { limitOf, type Smoothing } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { forgottenAfterUs } from "#src/lab/oracle/smoothing.ts";
import { rowsOf, type Row } from "../../histories/history.ts";
import { api, configuration, key, type WorldText } from "../../histories/world.ts";
import { evaluate } from "./evaluate.ts";

const us = secondsToMicros;
const SMOOTHING: Smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: us(2) };
const world = (rate: number, more: Partial<Smoothing> = {}): WorldText => ({
  keys: [key("alice", { limit: limitOf(rate, 1, { ...SMOOTHING, ...more }) })],
});
const allowances = (text: WorldText, rows: readonly Row[]): number[] => [
  ...evaluate(text, { rows }).allowance,
];

test.each([
  ["a request at the moment at which a hold-off ends carries A", [0, 1.5, 2, 4], [2, 2, 4, 4]],
  ["one that comes a little later finds it fallen", [0, 1.5, 2, 4.000001], [2, 2, 4, 2]],
  [
    "who came a whole window before a fall is not counted",
    [0, 1.5, 2, 3, 4.000001],
    [2, 2, 4, 4, 2],
  ],
  ["who came a little later is", [0, 1.5, 2, 3.000001, 4.000001], [2, 2, 4, 4, 4]],
  ["as long as the window lasts", [0, 1.5, 2, 3.000001, 4.000002], [2, 2, 4, 4, 2]],
])("%s: at %j s A is %j", (_, times, wanted) => {
  expect(
    allowances(
      world(6),
      times.map((at) => ({ at })),
    ),
  ).toEqual(wanted);
});

test("silence brings back an A that no rate is low enough for (SMO-4, SMO-6)", () => {
  const low = world(6, { threshold: 1 });
  expect(allowances(low, [{ at: 0 }, { at: 2 }, { at: 4 }])).toEqual([1, 3, 3]);
  expect(allowances(low, [{ at: 0 }, { at: 2 }, { at: 4.000001 }])).toEqual([1, 3, 1]);
  expect(allowances(low, [{ at: 0 }, { at: 2 }, { at: 20 }])).toEqual([1, 3, 1]);
});

test("who only looked does not keep the record, and does not forget it", () => {
  const eager = {
    ...world(6, { trigger: 0.9 }),
    apis: [api("orders", { globalRateLimit: limitOf(9, 1) })],
  };
  const rows: Row[] = [{ at: 0 }, { at: 1.9, status: 429, by: "api" }, { at: 2 }];
  expect(allowances(eager, rows)).toEqual([2, 2, 4]);
});

test("after a cut to new bounds the hold-off begins anew (MGT-C5)", () => {
  const faults = [
    { kind: "configure", atUs: us(4.5), configuration: configuration(world(5)) },
  ] as const;
  const rows = [...rowsOf("2*200 46*429", 0, 0.1), { at: 9 }];
  const { events } = evaluate({ ...world(6), faults }, { rows });
  expect(events.slice(2).map(({ stampUs, value }) => [stampUs / 1e6, value])).toEqual([
    [4.5, 5],
    [6.5, 3],
    [8.5, 2],
  ]);
});

test("A is surely forgotten once it is back at the threshold", () => {
  const bounds = { ...SMOOTHING, rate: 9, perUs: us(1) };
  expect(forgottenAfterUs(bounds)).toBe(us(1 + 2 * 2 + (4 + 1) * 2));
});

const follow = (text: WorldText, rows: readonly Row[]) => {
  const { allowance, openKeys, events } = evaluate(text, { rows });
  return [[...allowance], [...openKeys], events.length];
};
const NONE = Number.NaN;

test("an attempt that may have been lost leaves A open from there on", () => {
  const lost: Row = { at: 1.5, lost: "ended" };
  expect(follow(world(6), [{ at: 0 }, lost, { at: 2 }])).toEqual([[2, NONE, NONE], ["alice"], 0]);
  const untaken: Row = { at: 1.5, lost: "unreachable" };
  expect(follow(world(6), [{ at: 0 }, untaken, { at: 2 }])).toEqual([[2, NONE, 2], [], 0]);
});

test("a request that was only evaluated creates no A", () => {
  const more = { apis: [api("orders", { globalRateLimit: limitOf(9, 1) })] };
  const byApi: Row = { at: 0, status: 429, by: "api" };
  expect(follow({ ...world(6), ...more }, [byApi, { at: 1 }])).toEqual([[NONE, 2], [], 0]);
});

test("an attempt that was given back leaves A open where it made or moved it", () => {
  const commands: WorldText = {
    apis: [
      api("orders", { globalRateLimit: limitOf(6, 1, { ...SMOOTHING, trigger: 0.9 }) }),
      api("users"),
    ],
    keys: [key("alice", { limit: limitOf(9, 1) })],
    options: { algorithm: "non_transactional" },
  };
  const back = (at: number): Row => ({ at, status: 429, by: "key" });
  expect(follow(commands, [back(0), { at: 1 }])).toEqual([[NONE, NONE], ["alice"], 0]);
  expect(follow(commands, [back(0)])).toEqual([[NONE], ["alice"], 0]);
  expect(follow(commands, [{ at: 0 }, back(1), { at: 1.5 }])).toEqual([[2, 2, 2], [], 0]);
  expect(follow(commands, [{ at: 0 }, back(2), { at: 2.5 }])).toEqual([
    [2, NONE, NONE],
    ["alice"],
    0,
  ]);
});
