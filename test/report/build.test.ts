import { expect, test } from "vitest";
import { buildReport } from "../../src/report/build.ts";
import { binSecondsFor } from "../../src/report/over-time.ts";
import { played } from "./played.ts";

const chartOf = (small: Parameters<typeof played>[0]): unknown =>
  buildReport([played(small)], 1).scenarios[0]!.charts[0];

test.each([
  [90, 1],
  [91, 2],
  [0.09, 0.001],
  [0.0001, 0.001],
  [600, 10],
  [3_600, 50],
])("a run of %d s has bars of %d s", (length, bin) => {
  expect(binSecondsFor(length)).toBe(bin);
});

test("a burst is drawn as its answers in order, equal ones together", () => {
  expect(chartOf({ traffic: "burst: 8, at: 1500ms" })).toEqual({
    kind: "sequence",
    title: "answers in the order of sending",
    variant: "",
    runs: [
      { flow: "first, from 1.5s", from: 0, to: 5, status: 200 },
      { flow: "first, from 1.5s", from: 5, to: 8, status: 429 },
    ],
  });
});

test("traffic that lasts is drawn per second over time", () => {
  const chart = chartOf({ traffic: "stages: [{ name: flood, rate: 20, for: 3s }]" });
  expect(chart).toMatchObject({ kind: "time", binS: 0.05 });
  const { bars } = chart as { bars: { what: string; value: number }[] };
  // One request in each bar of 50 ms is 20 a second: 15 of the 60 pass.
  expect(new Set(bars.map(({ value }) => value))).toEqual(new Set([20]));
  expect(bars.filter(({ what }) => what === "admitted")).toHaveLength(15);
  expect(bars.filter(({ what }) => what === "refused 429")).toHaveLength(45);
});

test("a chart that the scenario asks for shows the series that it names", () => {
  const charts = `charts:
  - { title: "demand and allowance", x: time, lines: [offered.rps, admitted.rps, gauge.allowance], bars: [status.429], marks: [events] }`;
  const chart = chartOf({
    algorithm: "sliding_log",
    traffic: "stages: [{ name: flood, rate: 20, for: 3s }]",
    charts,
  }) as {
    title: string;
    lines: { what: string; value: number; atS: number }[];
    bars: { what: string }[];
    marks: { what: string }[];
  };
  expect(chart.title).toBe("demand and allowance");
  expect(new Set(chart.lines.map(({ what }) => what))).toEqual(
    new Set(["offered", "admitted", "allowance"]),
  );
  expect(new Set(chart.bars.map(({ what }) => what))).toEqual(new Set(["refused 429"]));
  const allowance = chart.lines
    .filter(({ what }) => what === "allowance")
    .map(({ value }) => value);
  expect(allowance.slice(0, 3)).toEqual([2, 3, 4]);
  expect(new Set(chart.marks.map(({ what }) => what))).toEqual(new Set(["RateLimitSmoothingUp"]));
  // Every line goes on to the same end.
  const ends = Map.groupBy(chart.lines, ({ what }) => what);
  expect(new Set([...ends.values()].map((line) => line.at(-1)!.atS)).size).toBe(1);
});

test("an expectation is as good as its worst variant, which is named", () => {
  const judged = played({
    matrix: "matrix: { n: [5, 8] }",
    traffic: "burst: $n",
    expect: "{ id: nobody is refused, count: { status: 429 }, equals: 0, among: { atLeast: 1 } }",
  });
  const report = buildReport([judged], 7);
  const [scenario] = report.scenarios;
  expect(scenario!.outcome).toBe("fail");
  expect(scenario!.expectations).toEqual([
    {
      id: "nobody is refused",
      line: judged.scenario.variants[0]!.expectations[0]!.line,
      proves: ["LIM-1"],
      outcome: "fail",
      variants: 2,
      examined: 13,
      worst: { variant: "n=8", observed: "3 of 8", expected: expect.stringContaining("0") },
    },
  ]);
  expect(report.footer).toEqual({ scenarios: 1, variants: 2, passed: 1, failed: 1, skipped: 0 });
});
