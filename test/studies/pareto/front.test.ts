import { expect, test } from "vitest";
import { paretoPart } from "#src/studies/pareto/pareto-part.ts";
import { frontsOf } from "#src/studies/pareto/front.ts";
import type { Figures } from "#src/studies/pareto/metrics.ts";
import { plainPaint } from "#src/kit/reading/legible.ts";
import { digits, legendOf, markdownOf, tableText } from "#src/studies/pareto/table.ts";
import { result, resultWith } from "./results.ts";

const frontOf = (of: (algorithm: string) => Partial<Figures>): readonly string[] =>
  frontsOf(resultWith(of))[0]!.entries.flatMap(({ algorithm, isOnFront }) =>
    isOnFront ? [algorithm] : [],
  );

const PAID = { operations: 4, bytes: 200, latency: 2, over: 10, wrong: 10 };

test.each([
  ["cheaper and as good", { sliding_log: { operations: 3 } }, ["sliding_log"]],
  ["better and as cheap", { sliding_log: { over: 5 } }, ["sliding_log"]],
  [
    "one is better, one is cheaper",
    { sliding_log: { over: 5 }, drl: { latency: 1 } },
    ["sliding_log", "drl"],
  ],
  ["too many and too few are one", { sliding_log: { over: 12, wrong: 2 } }, ["sliding_log"]],
  [
    "cheaper by nothing that counts",
    { sliding_log: { over: 5, latency: 2.001 }, drl: { over: 6, latency: 1.999 } },
    ["sliding_log"],
  ],
] as const)("the front has the algorithms that no other beats: %s", (_, figures, front) => {
  const own = new Map<string, Partial<Figures>>(Object.entries(figures));
  expect(frontOf((algorithm) => ({ ...PAID, ...own.get(algorithm) }))).toEqual(front);
});

test("algorithms with equal metrics are on the front together", () => {
  expect(frontOf(() => PAID)).toHaveLength(12);
});

test("the table has a line an algorithm for each fleet, and marks the front", () => {
  const drl = { operations: 0, bytes: 50, latency: 0, over: 0 };
  const better = resultWith((algorithm) => (algorithm === "drl" ? drl : PAID));
  const lines = tableText(better, plainPaint, Number.POSITIVE_INFINITY);
  expect(lines.filter((line) => line.startsWith("*"))).toEqual([
    "*  drl                            1       0        1      1           0     50   0",
    "*  drl                            1       0        1      1           0     50   0",
  ]);
  const strong = tableText(better, (_, text) => `<${text}>`, 40);
  expect(strong.filter((line) => line.startsWith("<*>"))[0]).toMatch(/^<\*> {2}<drl +> {2}< +1>/);
  const narrow = tableText(better, plainPaint, 40);
  expect(narrow.filter((line) => line.length > 40)).toEqual([]);
  expect(narrow.filter((line) => line.startsWith("*  drl")).length).toBeGreaterThan(2);
  expect(lines.filter((line) => /^\d+ gateways?$/.test(line))).toEqual(["1 gateway", "3 gateways"]);
  expect(markdownOf(better)).toContain("| ★ | drl | 1 | 0 | 1 | 1 | 0 | 50 | 0 |");
});

test("without all cells no algorithm is on the front", () => {
  const part = result({ index: 1, of: 2 });
  const lines = tableText(part, plainPaint, Number.POSITIVE_INFINITY);
  expect(lines.filter((line) => line.startsWith("*"))).toEqual([]);
  expect(legendOf(part)).toMatch(/^cells are missing/);
  expect(legendOf(result())).toMatch(/^\* on the front/);
});

test("over several seeds a figure is a median with an interval", () => {
  const [line] = tableText(result(), plainPaint, Number.POSITIVE_INFINITY).filter((text) =>
    text.includes("sliding_log"),
  );
  expect(line).toContain("1.1 (1 to 1.2)");
});

test.each([
  [0, "0"],
  [0.004, "<0.01"],
  [0.0123, "0.0123"],
  [1.2345, "1.23"],
  [99.96, "100"],
  [31302.4, "31,302"],
])("%d is written %s", (value, written) => {
  expect(digits(value)).toBe(written);
});

test("the chart of each fleet has every algorithm, and marks the front", () => {
  const { sections, doubts } = paretoPart(result());
  expect(sections[0]!.notes.join(" ")).toContain("the first two of these four");
  expect(sections[1]!.notes).toEqual([]);
  expect(sections.map(({ title }) => title)).toEqual(["1 gateway", "3 gateways"]);
  expect(doubts).toEqual([]);
  const [figure] = sections[0]!.figures;
  const points = figure?.kind === "front" ? figure.points : [];
  expect(points).toHaveLength(12);
  expect(points.map(({ isOnFront }) => isOnFront)).toContain(true);
  // Its height is over and wrong together, and the table has them apart.
  expect(figure).toMatchObject({ up: "over and wrong, %" });
  const { errors, metrics } = frontsOf(result())[0]!.entries[0]!;
  expect(points[0]).toMatchObject({
    x: metrics.operations.median,
    y: errors.median,
    low: errors.low,
    high: errors.high,
  });
  expect(sections[0]!.tables[0]!.rows.map(([mark]) => mark === "*")).toEqual(
    points.map(({ isOnFront }) => isOnFront),
  );
});

test("the page of a partial result warns before anything else", () => {
  const { word, doubts, sections } = paretoPart(result({ index: 1, of: 2 }));
  expect(word).toBe("partial");
  const [figure] = sections[0]!.figures;
  const points = figure?.kind === "front" ? figure.points : [];
  expect(new Set(points.map(({ isOnFront }) => isOnFront))).toEqual(new Set([null]));
  expect(doubts[0]).toMatch(/^It is not complete: cells are missing/);
  expect(sections.flatMap(({ notes }) => notes)).toEqual([]);
});
