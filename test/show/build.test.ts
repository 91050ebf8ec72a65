import { expect, test } from "vitest";
import { reportOf, scenarioReport } from "#src/lab/report/build/report-of.ts";
import { binSecondsFor } from "#src/lab/report/build/bins.ts";
import type { TimeFigure } from "#src/lab/report/model-figures.ts";
import { runReport } from "./small-runs.ts";
import { RUN } from "./report-with.ts";

const chartOf = (small: Parameters<typeof runReport>[0]): unknown =>
  scenarioReport(runReport(small), "").variants[0]!.figures[0];

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
    runs: [
      { flow: "first, from 1.5s", from: 0, to: 5, status: 200, isRejected: false },
      { flow: "first, from 1.5s", from: 5, to: 8, status: 429, isRejected: false },
    ],
  });
});

test("traffic that lasts is drawn per second over time", () => {
  const chart = chartOf({ traffic: "stages: [{ name: flood, rate: 20, for: 3s }]" });
  expect(chart).toMatchObject({ kind: "time", binS: 0.05 });
  const { bars } = chart as TimeFigure;
  // One request in each bar of 50 ms is 20 a second: 15 of the 60 pass.
  expect(new Set(bars.flatMap(({ values }) => values))).toEqual(new Set([0, 20]));
  const requests = (name: string): number =>
    bars.find(({ what }) => what === name)!.values.filter((value) => value > 0).length;
  expect([requests("admitted"), requests("refused 429")]).toEqual([15, 45]);
});

test("a chart of the scenario shows the series that it names", () => {
  const charts = `charts:
  - { title: "demand and allowance", x: time, lines: [offered.rps, admitted.rps, gauge.allowance], bars: [status.429], marks: [events] }`;
  const chart = chartOf({
    algorithm: "sliding_log",
    traffic: "stages: [{ name: flood, rate: 20, for: 3s }]",
    charts,
  }) as TimeFigure;
  expect(chart.title).toBe("demand and allowance");
  expect(chart.curves.map(({ what }) => what)).toEqual(["offered", "admitted"]);
  expect(chart.lines.map(({ what }) => what)).toEqual(["allowance"]);
  expect(chart.bars.map(({ what }) => what)).toEqual(["refused 429"]);
  expect(chart.lines[0]!.values.slice(0, 3)).toEqual([2, 3, 4]);
  expect(new Set(chart.marks.map(({ what }) => what))).toEqual(new Set(["RateLimitSmoothingUp"]));
  // Every line goes on to the same end.
  expect(new Set([...chart.lines, ...chart.limits].map(({ at }) => at.at(-1)))).toEqual(
    new Set([chart.untilS]),
  );
});

test("a scenario is as good as its worst variant", () => {
  const judged = runReport({
    matrix: "matrix: { n: [5, 8] }",
    traffic: "burst: $n",
    expect: "{ id: nobody is refused, count: { status: 429 }, equals: 0, among: { atLeast: 1 } }",
  });
  const scenario = scenarioReport(judged, "the file");
  expect(scenario).toMatchObject({
    outcome: "fail",
    source: "the file",
    variants: [
      { name: "n=5", outcome: "pass", requests: 5, refused: 0 },
      { name: "n=8", outcome: "fail", requests: 8, refused: 3 },
    ],
  });
  expect(scenario.variants[1]!.verdicts).toEqual([
    expect.objectContaining({
      expectation: "nobody is refused",
      line: judged.scenario.variants[0]!.expectations[0]!.line,
      proves: ["LIM-1"],
      observed: "3 of 8",
    }),
  ]);
  expect(reportOf({ ...RUN, seed: 7 }, [scenario], (text) => `${text.length}`).footer).toEqual({
    scenarios: 1,
    variants: 2,
    passed: 1,
    failed: 1,
    skipped: 0,
    head: expect.any(String),
    digests: [`${JSON.stringify(scenario).length}`],
  });
});
