import { expect, test } from "vitest";
import { boundLine, boundResults } from "#src/studies/bench/bounds.ts";
import { codeOfBounds } from "#src/cli/bench.node.ts";
import type { BenchBound } from "#src/studies/bench/suite.ts";
import type { BenchCellResult } from "#src/studies/bench/result.ts";
import { cellOf, resultOf } from "./bench-results.ts";

/** Two repeats in each start. */
const inStarts = (cell: BenchCellResult): BenchCellResult => ({
  ...cell,
  repeats: cell.repeats.map((repeat) => ({ ...repeat, start: Math.floor(repeat.round / 2) })),
});

const CELLS = [
  cellOf("base", { p99: [4, 4, 4, 4, 26, 24], rss: [90, 90, 90, 90, 90, 90] }),
  cellOf("connections=500", { p99: [40, 40, 80, 80, 40, 40] }),
  cellOf("bare-proxy", { p99: [4, 4, 8, 8, 4, 4] }, "bare-proxy"),
  cellOf("bare-proxy connections=500", { p99: [40, 40, 40, 40, 40, 40] }, "bare-proxy"),
].map(inStarts);

const linesFor = (...bounds: readonly BenchBound[]): readonly string[] =>
  boundResults(resultOf(CELLS, [], { bounds })).map(boundLine);

test("each start has to keep a bound, by the control under the same load", () => {
  expect(linesFor({ metric: "p99", cell: null, control: "bare-proxy", times: 1.2 })).toEqual([
    "bound broken in 1 of 3 starts: p99 of base: at most 1.2 times bare-proxy; measured 1 (0.5 to 6.25)",
    "bound broken in 1 of 3 starts: p99 of connections=500: at most 1.2 times bare-proxy connections=500; measured 1 (1 to 2)",
  ]);
});

test("an amount is a bound of one cell, or of each that has the metric", () => {
  expect(
    linesFor({ metric: "rss", cell: null, most: 90 }, { metric: "p99", cell: "base", most: 4 }),
  ).toEqual([
    "bound kept in 3 starts: rss of base: at most 90 MiB; measured 90 (90 to 90)",
    "bound broken in 1 of 3 starts: p99 of base: at most 4 ms; measured 4 (4 to 25)",
  ]);
});

test("a bound without a value is named, whether its control or its cell was not measured", () => {
  expect(
    linesFor(
      { metric: "p99", cell: "base", control: "nginx", times: 1 },
      { metric: "survived", cell: "base", most: 1 },
    ),
  ).toEqual([
    "bound not measured: p99 of base: at most 1 times nginx; no repeat has a value for it",
    "bound not measured: survived of base: at most 1 B; no repeat has a value for it",
  ]);
});

test("a cell that is not part of the run has no bound", () => {
  expect(linesFor({ metric: "p99", cell: "keys=many", most: 1 })).toEqual([]);
});

const BUSY = { ...resultOf(CELLS, []).machine, busy: "others took 40 %" };

test.each([
  ["kept", { metric: "rss", cell: null, most: 90 }, {}, 0],
  ["broken", { metric: "rss", cell: null, most: 89 }, {}, 1],
  ["broken on a busy machine", { metric: "rss", cell: null, most: 89 }, { machine: BUSY }, 5],
  ["not measured", { metric: "survived", cell: "base", most: 89 }, {}, 5],
  ["without its control", { metric: "p99", cell: null, control: "nginx", times: 1 }, {}, 5],
] as const)("the exit code of a bound that is %s", (_, bound, more, code) => {
  expect(codeOfBounds(resultOf(CELLS, [], { bounds: [bound], ...more }))).toBe(code);
});
