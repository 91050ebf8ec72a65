// A comparison as a forest, and as a document that is read from a file.
import { expect, test } from "vitest";
import { compare } from "#src/studies/bench/compare/compare.ts";
import { readComparison } from "#src/studies/bench/compare/comparison.ts";
import { comparePart } from "#src/studies/bench/report/compare-part.ts";
import { readResult, type BenchResult } from "#src/studies/bench/result.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import type { RowsFigure } from "#src/lab/report/measured-figures.ts";
import { messageOf } from "../../../kit/reading/message-of.ts";
import { runsToCompare } from "../runs-to-compare.ts";

const read = (name: string): BenchResult => {
  return requireValue(readResult(runsToCompare[name]!));
};
const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };
const comparison = compare(read("base.json"), read("head.json"), question, ["BASE was busy"]);

test("gates come first, each with its controls, and the band shows changes that do not matter", () => {
  const part = comparePart(comparison);
  const forest = part.sections[0]!.figures[0] as RowsFigure;
  expect(forest).toMatchObject({ scale: "log", band: [1 / 1.03, 1.03] });
  expect(forest.references).toEqual([{ at: 1, what: "nothing has changed" }]);
  expect(forest.from * forest.to).toBeCloseTo(1);
  const [first] = forest.rows;
  const [gated] = comparison.gates;
  expect(first).toMatchObject({ what: "base: processor time", isControl: false, tone: "bad" });
  expect(first!.value).toMatch(/^regressed \+/);
  expect(first!.marks.map(({ shape, from, to }) => [shape, from, to])).toEqual([
    ["rule", gated!.evidence!.interval!.low, gated!.evidence!.interval!.high],
    ["tick", gated!.evidence!.ratio, gated!.evidence!.ratio],
  ]);
  expect(forest.rows.map(({ what }) => what)).toContain(
    "base: processor time, divided by bare-proxy",
  );
  expect(forest.rows.at(-1)).toMatchObject({ what: "bare-proxy: processor time", isControl: true });
  expect(part.word).toBe(comparison.word);
  expect(part.doubts).toContain("BASE was busy");
});

const text = JSON.stringify(comparison);

test("a comparison is read from a file as it was written", () => {
  expect(readComparison(text)).toEqual(comparison);
});

const { footer: _, ...cutOff } = comparison;
const documentWith = (different: object): string => JSON.stringify({ ...comparison, ...different });

test.each([
  [text.slice(0, -1), "this is not JSON"],
  [JSON.stringify(cutOff), "it has no footer"],
  [documentWith({ format: "weir-compare/1" }), 'its format is "weir-compare/1"'],
  [documentWith({ word: "same" }), "word: it is same, but the worst gate is regressed"],
  [documentWith({ shown: [] }), "footer.shown: it is "],
  [documentWith({ minEffect: "3%" }), "minEffect: Invalid input"],
])("%.30s is refused: %s", (document, sentence) => {
  expect(messageOf(readComparison(document))).toContain(sentence);
});
