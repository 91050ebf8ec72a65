// What the figures of a run are made of, from histories that are small enough to be counted by hand.
import { expect, test } from "vitest";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import { binsOf } from "#src/lab/report/build/bins.ts";
import { frameOf } from "#src/lab/report/build/setting.ts";
import { stepsOf } from "#src/lab/report/build/steps.ts";
import { variantFigures } from "#src/lab/report/build/variant-figures.ts";
import type { ComparedFigure, RunFigure, TimeFigure } from "#src/lab/report/model-figures.ts";
import type { HistorySpan } from "#src/lab/scenario/history.ts";
import { callMade, historyOf, type HistoryText, type Row } from "../histories/history.ts";
import { configuration, key, variantOf, type VariantText } from "../histories/world.ts";

const us = secondsToMicros;

/** Twenty seconds of `each`, so that a bin is a second: the windows of these histories are. */
const lasting = (each: (second: number) => readonly Row[]): readonly Row[] => [
  ...Array.from({ length: 20 }, (_, second) => each(second)).flat(),
  { at: 20 },
];

const figuresOf = (history: HistoryText, variant: VariantText = {}): readonly RunFigure[] =>
  variantFigures(variantOf(variant), historyOf(history), []);

const findShown = (
  figures: readonly RunFigure[],
  shows: TimeFigure["shows"],
): TimeFigure | undefined =>
  figures.find((figure): figure is TimeFigure => figure.kind === "time" && figure.shows === shows);

const SEVEN_A_SECOND = lasting((second) =>
  Array.from({ length: 7 }, (_, index) => ({
    at: second + index / 10,
    status: index < 5 ? 200 : 429,
    by: "key" as const,
    gateway: index % 3,
  })),
);

test("demand is compared with the rate of the budgets that decided, in bins as long as their window", () => {
  const demand = findShown(figuresOf({ rows: SEVEN_A_SECOND }), "demand")!;
  expect(demand.binS).toBe(1);
  expect(demand.bars.map(({ what, values }) => [what, values.slice(0, 3), values.at(-1)])).toEqual([
    ["admitted", [5, 5, 5], 1],
    ["refused 429", [2, 2, 2], 0],
  ]);
  expect(demand.limits).toEqual([{ what: "limit: 1 per 1s", at: [0, 21], values: [1, 1] }]);
});

const span = (from: number, to: number, text: string): HistorySpan => ({
  what: "fault",
  gateway: null,
  fromUs: us(from),
  toUs: micros(to * 1_000_000),
  text,
});

test("equal events of gateways at the same time are shown once, and nothing outlasts the run", () => {
  const history = historyOf({
    rows: SEVEN_A_SECOND,
    spans: [
      span(5, 9, "away"),
      span(6, 10, "away"),
      span(12, 13, "away"),
      span(15, Infinity, "slow"),
    ],
  });
  expect(frameOf(history, [], binsOf(history)).spans).toEqual([
    { what: "away", fromS: 5, toS: 10, text: "away" },
    { what: "away", fromS: 12, toS: 13, text: "away" },
    { what: "slow", fromS: 15, toS: 21, text: "slow" },
  ]);
});

test("events, calls and changes are marks, one for each bin, and refusals are none", () => {
  const history = historyOf({
    rows: SEVEN_A_SECOND,
    events: [
      { event: "RatelimitExceeded", at: 1 },
      { event: "RateLimitSmoothingUp", at: 2.1 },
      { event: "RateLimitSmoothingUp", at: 2.2 },
      { event: "RateLimitSmoothingDown", at: 99 },
    ],
    calls: [callMade("more for alice")],
  });
  const configured = {
    kind: "configure",
    atUs: us(3),
    configuration: configuration(),
    raw: {},
  } as const;
  expect(frameOf(history, [configured], binsOf(history)).marks).toEqual([
    { what: "RateLimitSmoothingUp", atS: 2.1, text: "RateLimitSmoothingUp, and 1 more" },
    {
      what: "call",
      atS: 1,
      text: "more for alice: PUT admin /admin/org/keys/alice answered 200",
    },
    { what: "the configuration is changed", atS: 3, text: "the configuration is changed" },
  ]);
});

test("an allowance goes in steps between the threshold that is configured and the rate", () => {
  const smoothing = { threshold: 4, step: 4, trigger: 0.5, delayUs: us(1) };
  const history = historyOf({
    rows: SEVEN_A_SECOND,
    gauges: [
      { at: 0, value: 4 },
      { at: 3, value: 8 },
      { at: 4, value: 8 },
      { at: 90, value: 4 },
    ],
  });
  const budgets = history.header.budgets.map((each) => ({
    ...each,
    name: "key|key:alice",
    rate: 12,
  }));
  const [, figure] = variantFigures(
    variantOf({ keys: [key("alice", { limit: { rate: 12, perUs: us(1), smoothing } })] }),
    { ...history, header: { ...history.header, budgets } },
    [],
  );
  expect(figure).toMatchObject({
    shows: "allowance",
    lines: [{ what: "allowance", at: [0, 3, 21], values: [4, 8, 8] }],
    limits: [
      { what: "threshold 4", values: [4, 4] },
      { what: "rate 12", values: [12, 12] },
    ],
  });
});

test("the last request is in the last bin, also where its time is a multiple that no double divides", () => {
  const wrong = Array.from({ length: 600 }, (_, index) => (index + 1) / 100).filter((at) => {
    const { sent, result, count } = binsOf(historyOf({ rows: [{ at: 0 }, { at }] }));
    return sent[1] !== count - 1 || result[1] !== count - 1;
  });
  expect(wrong).toEqual([]);
});

test("an allowance that never moves is no figure", () => {
  const figures = figuresOf({ rows: SEVEN_A_SECOND, gauges: [{ at: 0, value: 4 }] });
  expect(findShown(figures, "allowance")).toBeUndefined();
});

test("a gauge that changes often keeps the least, the most and the last of each bin", () => {
  const bins = binsOf(historyOf({ rows: [{ at: 0 }, { at: 20 }] }));
  const samples = historyOf({
    gauges: Array.from({ length: 300 }, (_, index) => ({ at: index / 100, value: index % 50 })),
  }).gauges;
  const { at, values } = stepsOf("busy", samples, 1, bins);
  expect(bins.binS).toBe(1);
  expect(at).toEqual([0, 0.49, 0.99, 1, 1.49, 1.99, 2, 2.49, 2.99, 21]);
  expect(values).toEqual([0, 49, 49, 0, 49, 49, 0, 49, 49, 49]);
});

test("admitted requests of each gateway of a fleet are stacked", () => {
  const { bars } = findShown(figuresOf({ rows: SEVEN_A_SECOND }), "gateways")!;
  // Five of seven pass, on gateways 0, 1, 2, 0, 1.
  expect(bars.map(({ what, values }) => [what, values[0]])).toEqual([
    ["gateway 0", 2],
    ["gateway 1", 2],
    ["gateway 2", 1],
  ]);
});

test("of many gateways the last ones are shown together", () => {
  const rows = lasting((second) =>
    Array.from({ length: 10 }, (_, gateway) => ({ at: second, gateway })),
  );
  const { bars } = findShown(figuresOf({ rows }), "gateways")!;
  expect(bars).toHaveLength(8);
  expect(bars[7]).toMatchObject({ what: "3 others" });
  expect(bars[7]!.values[0]).toBe(3);
});

test("of a burst on a fleet the responses of each gateway are shown", () => {
  const rows = [200, 200, 429, 200, 429].map((status, index) => ({
    at: 0,
    status,
    gateway: index % 2,
  }));
  const figure = figuresOf({ rows }).find(({ kind }) => kind === "compared") as ComparedFigure;
  expect(figure.rows).toEqual([
    {
      name: "gateway 0",
      parts: [
        { what: "admitted", value: 1 },
        { what: "refused 429", value: 2 },
      ],
    },
    { name: "gateway 1", parts: [{ what: "admitted", value: 2 }] },
  ]);
});

test("latency is a percentile of each bin that has answers, in milliseconds", () => {
  const rows = lasting((second) =>
    second === 7
      ? []
      : [1, 2, 3].map((slow) => ({ at: second, answered: second + (second + slow) / 1_000 })),
  );
  const { curves } = findShown(figuresOf({ rows }), "latency")!;
  expect(curves.map(({ what, values }) => [what, values.slice(5, 9)])).toEqual([
    ["p50", [7, 8, null, 10]],
    ["p99", [8, 9, null, 11]],
  ]);
});

test("operations are shown for each request, and stored entries by the most of each bin", () => {
  const rows = lasting((second) =>
    [0, 1, 2].map((index) => ({
      at: second,
      commandsBefore: 1,
      commandsAll: second < 10 && index === 0 ? 4 : 1,
    })),
  );
  const gauges = [
    { at: 0.2, value: 3, gauge: "entries" as const },
    { at: 0.4, value: 9, gauge: "entries" as const },
    { at: 0.6, value: 5, gauge: "entries" as const },
    { at: 2, value: 1, gauge: "entries" as const },
    { at: 3.5, value: 0, gauge: "entries" as const },
  ];
  const figures = figuresOf({ rows, gauges });
  const { curves } = findShown(figures, "operations")!;
  expect(curves.map(({ what, values }) => [what, values.slice(9, 11)])).toEqual([
    ["in all", [2, 1]],
    ["until the answer", [1, 1]],
  ]);
  // Nothing was sampled in the second bin, and the last sample of the first one holds there. In the fourth it is 1 until 0.
  const { values } = findShown(figures, "entries")!.curves[0]!;
  expect(values.slice(0, 5)).toEqual([9, 5, 1, 1, 0]);
  expect(findShown(figures, "bytes")).toBeUndefined();
});

test("a figure without information is not drawn: no fleet, no latency, constant work", () => {
  const rows = lasting((second) =>
    [0, 0.1, 0.2].map((after) => ({ at: second + after, commandsAll: 3, commandsBefore: 3 })),
  );
  expect(
    figuresOf({ rows: rows.slice(0, -1) }).map((figure) => figure.kind === "time" && figure.shows),
  ).toEqual(["demand"]);
});
