// What a gauge held within a period, and which series there are.
import { expect, test } from "vitest";
import { samplesWithin, periodsOf, rowAt, seriesOf } from "#src/lab/check/samples.ts";
import type { Flow } from "#src/lab/scenario/types.ts";
import { historyOf, type GaugeText } from "../../histories/history.ts";
import { variantOf } from "../../histories/world.ts";

test.each([
  [10, 20, 0, "1 sure, 2 sure"],
  [5, 20, 0, "1 sure, 2 sure"],
  [15, 16, 0, "2 sure"],
  [25, 26, 0, "2 sure"],
  [30, 40, 0, "3 sure"],
  [0, 5, 0, ""],
  [10, 15, 0, "1 sure"],
  [10, 14, 1, "1 sure"],
  [10, 15, 1, "1 sure, 2"],
  [10, 16, 1, "1 sure, 2"],
  [10, 17, 1, "1 sure, 2 sure"],
  [14, 17, 1, "1, 2 sure"],
  [15, 17, 1, "1, 2 sure"],
  [16, 17.5, 1, "2 sure"],
])("from %d to %d, known to %d, held: %s", (from, to, uncertain, held) => {
  const walk = [
    { at: 5, value: 1 },
    { at: 15, value: 2 },
    { at: 30, value: 3 },
  ];
  expect(valuesWithin(walk, { from, to, uncertain })).toBe(held);
});

function valuesWithin(
  walk: readonly GaugeText[],
  { from, to, uncertain }: Readonly<Record<"from" | "to" | "uncertain", number>>,
): string {
  const { gauges } = historyOf({ gauges: walk });
  return samplesWithin(gauges, { fromUs: from * 1e6, toUs: to * 1e6 }, uncertain * 1e6)
    .map(({ sample, certain }) => `${sample.value}${certain ? " sure" : ""}`)
    .join(", ");
}

test.each([
  [0, 10, 0, "1 sure, 2 sure, 3 sure"],
  [0, 10, 1, "1, 2, 3 sure"],
  [-1, 10, 1, "1 sure, 2 sure, 3 sure"],
  [1, 10, 0, "3 sure"],
  [1, 10, 1, "1, 2, 3 sure"],
  [2, 10, 1, "3 sure"],
  [-10, 0, 0, ""],
  [-10, 0, 1, "1, 2, 3"],
])("from %d to %d, known to %d, held, of three samples at 0: %s", (from, to, uncertain, held) => {
  expect(
    valuesWithin(
      [1, 2, 3].map((value) => ({ at: 0, value })),
      { from, to, uncertain },
    ),
  ).toBe(held);
});

test("a series is of one gauge and one budget, in the order of its times", () => {
  const history = historyOf({
    gauges: [
      { at: 3, value: 3, budget: "team" },
      { at: 1, value: 1, budget: "team", key: "bob" },
      { at: 2, value: 2, budget: "own" },
      { at: 2, value: 9, budget: "own", gauge: "bytes" },
    ],
  });
  const values = (of: string | null): number[][] =>
    seriesOf(history, "allowance", of).map((series) => series.map(({ value }) => value));
  expect(values(null)).toEqual([[1, 3], [2]]);
  expect(values("bob")).toEqual([[1, 3]]);
  expect(values("alice")).toEqual([[1, 3], [2]]);
  expect(values("carol")).toEqual([]);
});

test("stages follow one another, and a flow without stages has none", () => {
  const { traffic } = variantOf({
    stages: [
      { name: "climb", forS: 2 },
      { name: "hold", forS: 3 },
      { name: "climb", forS: 4 },
    ],
  });
  expect(periodsOf(traffic, ["climb"])).toEqual([
    { fromUs: 0, toUs: 2e6 },
    { fromUs: 5e6, toUs: 9e6 },
  ]);
  const burst = traffic.map((flow): Flow => ({ ...flow, shape: { kind: "burst", count: 1 } }));
  expect(periodsOf(burst, ["climb"])).toEqual([]);
});

test("a person would look at the last request that was decided by then", () => {
  const history = historyOf({ rows: [{ at: 0 }, { at: 2 }, { at: 1 }] });
  expect([0.5, 1, 2, 9].map((at) => rowAt(history, at * 1e6))).toEqual([0, 2, 2, 2]);
});
