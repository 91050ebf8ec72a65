import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { footerOf, readResult, resultSchema } from "#src/studies/bench/result.ts";
import { messageOf } from "../../kit/reading/message-of.ts";
import { cellOf, gate, resultOf } from "./bench-results.ts";

const result = resultOf([cellOf("base", { cpu: [50, 51], throughput: [900, 910] })], [gate("cpu")]);
const { footer, ...cutOff } = result;
const [cell] = result.cells;
const withCells = (...cells: typeof result.cells): string =>
  JSON.stringify({ ...result, cells, footer: footerOf(cells) });
const [repeat] = cell!.repeats;

test("a result is read as it was written", () => {
  expect(readResult(JSON.stringify(result))).toEqual(result);
});

test("a footer counts cells, repeats and errors", () => {
  expect(footer).toEqual({ cells: 1, repeats: 2, errors: 0 });
  const [first] = result.cells;
  const failed = { ...first!.repeats[0]!, errors: 3 };
  expect(footerOf([first!, { ...first!, repeats: [failed] }])).toEqual({
    cells: 2,
    repeats: 3,
    errors: 3,
  });
});

test.each([
  ["", "this is not JSON"],
  [JSON.stringify(result).slice(0, -1), "this is not JSON, or the document is incomplete"],
  ["null", "this is not a document of Weir"],
  ["[]", "this is not a document of Weir"],
  [JSON.stringify({ ...result, format: "weir-bench/1" }), 'its format is "weir-bench/1"'],
  [JSON.stringify(cutOff), "it has no footer"],
  [
    JSON.stringify({ ...result, footer: { ...footer, repeats: 9 } }),
    "footer.repeats: it is 9, and the document has 2",
  ],
  [JSON.stringify({ ...result, capacity: "fast" }), "capacity: Invalid input: expected number"],
  [
    withCells({ ...cell!, repeats: [{ ...repeat!, metrics: { cpus: 1 } }] }),
    'base has the metric cpus, which "metrics" does not describe',
  ],
  [JSON.stringify({ ...result, colour: "red" }), 'at its top: Unrecognized key: "colour"'],
  // Values that follow from the repeats are computed when they are shown, so the file cannot contradict them.
  [withCells(Object.assign({ summary: {} }, cell!)), 'cells.0: Unrecognized key: "summary"'],
  [withCells(cell!, cell!), "it has the cell base twice"],
  [withCells({ ...cell!, repeats: [repeat!, repeat!] }), "base has the round 0 twice"],
  [
    withCells({ ...cell!, repeats: [{ ...repeat!, metrics: { cpu: -1 } }] }),
    "cells.0.repeats.0.metrics.cpu: Too small",
  ],
])("%.40s is refused: %s", (text, sentence) => {
  expect(messageOf(readResult(text))).toContain(sentence);
});

test("the printed schema accepts a result, and no other document", () => {
  const isResult = new Ajv2020({ strict: false }).compile(resultSchema() as object);
  expect(isResult(result)).toBe(true);
  expect(isResult(cutOff)).toBe(false);
  expect(isResult({ ...result, colour: "red" })).toBe(false);
});
