// Each kind of figure of what was measured, from a handful of numbers to what is drawn.
import { expect, test } from "vitest";
import { drawableOf } from "#src/show/figures/drawable-of.ts";
import type {
  FrontFigure,
  RowMark,
  MeasuredFigure,
  RowsFigure,
} from "#src/lab/report/measured-figures.ts";
import { svgOf } from "#src/show/figures/svg.ts";
import { templates } from "#src/show/figures/templates.ts";

const sly = `</script><img src=x onerror="alert(1)">`;

const dot = (from: number): RowMark => ({
  shape: "dot",
  from,
  to: from,
  tone: "own",
  tip: "a repeat",
});
const bar: RowMark = { shape: "bar", from: 0, to: 8, tone: "control", tip: "8 in all" };

const rows = (different: Partial<RowsFigure> = {}): RowsFigure => ({
  kind: "rows",
  title: "answers",
  unit: "1/s",
  scale: "linear",
  from: 0,
  to: 10,
  band: null,
  references: [{ at: 5, what: "unlimited" }],
  rows: [
    { what: "base", isControl: false, value: "4", tone: "own", marks: [dot(3), dot(5)] },
    { what: "nginx", isControl: true, value: "8", tone: "control", marks: [bar] },
  ],
  ...different,
});

const lanes: MeasuredFigure = {
  kind: "lanes",
  title: "memory",
  unit: "MiB",
  untilS: 4,
  lanes: [
    { what: "base", isControl: false, fromS: [0, 2], toS: [1, 3], values: [50, 100] },
    { what: "nginx", isControl: true, fromS: [1], toS: [2], values: [25] },
  ],
};

const percentiles: MeasuredFigure = {
  kind: "percentiles",
  title: "latency",
  unit: "ms",
  lines: [
    { what: "base", isControl: false, oneIn: [2, 100, 2_500], values: [1, 5, 9] },
    { what: sly, isControl: true, oneIn: [2], values: [2] },
  ],
};

const front: FrontFigure = {
  kind: "front",
  title: "accuracy",
  across: "operations",
  up: "wrong, %",
  weighed: "errors and bytes",
  points: [
    { what: "gcra", x: 3, y: 1, low: 0, high: 2, isOnFront: true },
    { what: "drl", x: 4, y: 2, low: 2, high: 2, isOnFront: false },
  ],
};

test("marks are in the row of their cell, and a control is in brackets", () => {
  const { data, height } = drawableOf(rows());
  expect(data["dots"]!.map(({ from, middle, tip }) => [from, middle, tip])).toEqual([
    [3, 0.72, "base: a repeat"],
    [5, 0.72, "base: a repeat"],
  ]);
  expect(data["bars"]!.map(({ to, top, tip }) => [to, top, tip])).toEqual([
    [8, 1.5, "(nginx): 8 in all"],
  ]);
  expect(data["names"]!.map(({ what }) => what)).toEqual(["base", "(nginx)"]);
  expect(data["guides"]).toEqual([{ at: 5, tip: "unlimited" }]);
  expect(height).toBe(drawableOf(rows({ rows: [] })).height + 2 * 34);
});

test.each([
  ["log", 0.8, 1.25, [0.8, 0.9, 1, 1.1, 1.2]],
  ["log", 0.995, 1.005, [0.995, 1, 1.005]],
  ["log", 0.25, 4, [1, 2, 3, 4]],
  ["symlog", -20, 100, [-10, -3, -1, 0, 1, 3, 10, 100]],
  ["linear", 0, 10, []], // it finds its own
] as const)("a scale that is %s has ticks from %d to %d", (scale, from, to, ticks) => {
  expect(drawableOf(rows({ scale, from, to })).signals["ticks"]).toEqual(ticks);
});

test("columns of all lanes are as high as their share of the highest", () => {
  const { data, title } = drawableOf(lanes);
  expect(title).toBe("memory; a full row is 100 MiB");
  const high = data["bars"]!.map(({ top, bottom }) => Number(bottom) - Number(top));
  expect(high.map((value) => Number((value / high[1]!).toPrecision(6)))).toEqual([0.5, 1, 0.25]);
  expect(data["names"]!.map(({ what, value }) => [what, value])).toEqual([
    ["base: at most 100 MiB", ""],
    ["(nginx): at most 25 MiB", ""],
  ]);
});

test("the distance of percentiles is that of the share that they leave out, and controls are dashed", () => {
  const { data, signals } = drawableOf(percentiles);
  expect(data["points"]!.map(({ at, value, dash, tip }) => [at, value, dash, tip])).toEqual([
    [2, 1, "cells", "base: 50 % within 1 ms"],
    [100, 5, "cells", "base: 99 % within 5 ms"],
    [2_500, 9, "cells", "base: 99.96 % within 9 ms"],
    [2, 2, "controls", `(${sly}): 50 % within 2 ms`],
  ]);
  expect(signals).toMatchObject({ to: 2_500, ticks: [1, 2, 10, 100, 1_000] });
});

test("cells on the front are marked by word, sign and colour", () => {
  const { data } = drawableOf(front);
  expect(data["points"]!.map(({ what, shape, tip }) => [what, shape, tip])).toEqual([
    ["gcra *", "diamond", "gcra, on the front: 1 (0 to 2), operations 3"],
    ["drl", "circle", "drl: 2 (2 to 2), operations 4"],
  ]);
  expect(drawableOf(front).legend.map(({ what }) => what)).toEqual([
    "◆ on the front *",
    "● beaten by errors and bytes together",
  ]);
});

test("a label that is higher or lower than its point has a line to it", async () => {
  const [first] = front.points;
  const crowded = ["a", "b", "c"].map((what) => ({ ...first!, what: `${what}_long_name` }));
  const linesIn = async (points: FrontFigure["points"]): Promise<number> => {
    const svg = await svgOf({ ...front, points }, templates());
    return svg.match(/<line [^>]*opacity="0.7"/g)?.length ?? 0;
  };
  expect(await linesIn(front.points)).toBe(0);
  expect(await linesIn(crowded)).toBeGreaterThanOrEqual(2);
});

test("without a known front no cell is beaten", () => {
  const points = front.points.map((point) => ({ ...point, isOnFront: null }));
  const { data, legend } = drawableOf({ ...front, points });
  expect(legend).toEqual([]);
  const looks = data["points"]!.map(({ shape, colour }) => JSON.stringify([shape, colour]));
  expect(new Set(looks).size).toBe(1);
});

test.each<MeasuredFigure>([
  rows(),
  rows({ scale: "log", from: 0.5 }),
  rows({ scale: "symlog", from: -1, band: [2, 3] }),
  lanes,
  percentiles,
  front,
])(
  "a drawing of $kind takes its colours from the page, and texts are no part of it",
  async (figure) => {
    const drawing = await svgOf(figure, templates());
    expect(drawing).toMatch(/^<svg role="img"/);
    expect(drawing).not.toMatch(/(?:fill|stroke)="(?:#|rgb|white|black)/);
    expect(drawing).not.toMatch(/<img|<\/script/);
    expect(drawing).not.toContain("NaN");
    expect(drawing).toContain("<text");
  },
);
