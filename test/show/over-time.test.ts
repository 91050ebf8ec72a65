// Charts of a scenario, and the usual figures over time.
import { expect, test } from "vitest";
import { scenarioReport } from "#src/lab/report/build/report-of.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { TimeFigure } from "#src/lab/report/model-figures.ts";
import { runReportOfText } from "./small-runs.ts";

/** Two smoothed keys: of ten a second, and of sixty in ten seconds, which ends in a quota. */
const textWith = (charts: readonly string[]): string => `id: limits/small
title: small
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 10, per: 1, smoothing: { enabled: true, threshold: 4, step: 2, trigger: 0.5, delay: 1 } }
    bob: { apis: [orders], rate: 60, per: 10, quota_max: 70, quota_renewal_rate: 3600, smoothing: { enabled: true, threshold: 20, step: 20, trigger: 0.5, delay: 10 } }
  gateway: { algorithm: sliding_log }
traffic:
  - { name: first, as: alice, send: GET /orders, rate: 20, for: 30s }
  - { name: second, as: bob, send: GET /orders, rate: 10, for: 30s }
expect:
  - { id: counted, count: {}, atLeast: 1 }
charts:
${charts.map((chart) => `  - { title: asked, x: time, ${chart} }`).join("\n")}
`;

function figuresWith(...charts: readonly string[]): readonly TimeFigure[] {
  const text = textWith(charts);
  const { variants } = scenarioReport(runReportOfText(text), text);
  return variants[0]!.figures.flatMap((figure) => (figure.kind === "time" ? [figure] : []));
}

test("each allowance is drawn with the demand for a second of its own window", () => {
  const [figure] = figuresWith("lines: [offered.rps, gauge.allowance]");
  expect(figure).toMatchObject({
    unit: "requests per second",
    lines: [
      { what: "allowance of alice", values: [4, 6, 8, 10, 10] },
      { what: "allowance of bob", values: [2, 4, 6, 6] },
    ],
  });
});

test("what the store holds is no rate, and has a figure of its own and no second one", () => {
  const figures = figuresWith("lines: [offered.rps, gauge.entries]", "lines: [gauge.bytes]");
  const [demand, entries, bytes] = figures;
  expect(demand).toMatchObject({ shows: "asked", lines: [], curves: [{ what: "offered" }] });
  expect(entries).toMatchObject({ shows: "entries", title: "asked: entries" });
  expect(bytes).toMatchObject({ shows: "bytes", title: "asked: bytes" });
  expect(bytes!.curves[0]!.values.some((value) => value! > 0)).toBe(true);
  expect(figures.filter(({ shows }) => shows === "entries" || shows === "bytes")).toHaveLength(2);
});

test("a status is drawn by its number, one that admits too", () => {
  const [figure] = figuresWith("lines: [status.200, status.404], bars: [status.200, status.429]");
  expect(figure!.bars.map(({ what }) => what)).toEqual(["answered 200", "refused 429"]);
  expect(figure!.curves.map(({ what }) => what)).toEqual(["answered 200"]);
  const [admitted] = figuresWith("bars: [admitted.rps]");
  expect(figure!.bars[0]!.values).toEqual(admitted!.bars[0]!.values);
});

test("an unknown bar is an error, with the list of series", () => {
  const { scenario, problems } = decode(
    "scenarios/limits/small.yaml",
    textWith(["bars: [gauge.allowance]"]),
  );
  expect(scenario).toBeNull();
  expect(problems).toMatchObject([
    { code: "SCN-NAME", message: expect.stringContaining("no series is called") },
  ]);
});

test("attempts are drawn by their number, and add up to all that was sent", () => {
  const text = textWith(["bars: [attempt.*], lines: [offered.rps]"]).replace(
    "rate: 20, for: 30s }",
    "rate: 20, for: 3s, behaviour: { backoff: { base: 500ms, factor: 1, maxAttempts: 12 } } }",
  );
  const { variants } = scenarioReport(runReportOfText(text), text);
  const [figure] = variants[0]!.figures.flatMap((each) => (each.kind === "time" ? [each] : []));
  expect(figure!.bars.map(({ what }) => what)).toEqual([
    "1st",
    "2nd",
    "3rd",
    "4th to 9th",
    "10th on",
  ]);
  const sums = figure!.curves[0]!.values.map((_, bin) =>
    figure!.bars.reduce((sum, { values }) => sum + values[bin]!, 0),
  );
  for (const [bin, sum] of sums.entries())
    expect(sum).toBeCloseTo(figure!.curves[0]!.values[bin]!, 3);
  // Second attempts come half a second after the first ones that were refused.
  expect(figure!.bars[0]!.values[0]).toBeGreaterThan(0);
});
