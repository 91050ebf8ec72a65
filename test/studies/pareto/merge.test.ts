import { expect, test } from "vitest";
import { mergeParts, type PartialResult } from "#src/studies/pareto/merge.ts";
import { readResult } from "#src/studies/pareto/read-result.ts";
import { resultOf, textOf } from "#src/studies/pareto/result.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { messageOf } from "../../kit/reading/message-of.ts";
import { hash, ORIGIN, figuresAt, result } from "./results.ts";

const parts = [3, 1, 2].map((index) => ({
  file: `part-${index}.json`,
  result: result({ index, of: 3 }),
})) as unknown as readonly [PartialResult, PartialResult, PartialResult];

/** As it comes back from a file. */
const readBack = ({ file, result: written }: PartialResult): PartialResult => {
  const read = requireValue(readResult(textOf(written), hash));
  return { file, result: read };
};

const faultsOf = (...all: readonly [PartialResult, ...PartialResult[]]): readonly string[] => {
  const whole = mergeParts(all);
  return isFailure(whole) ? whole.problems : [];
};

test("parts in any order make the bytes of the whole", () => {
  const [third, first, second] = parts;
  const whole = mergeParts([readBack(third), readBack(first), readBack(second)]);
  expect(textOf(requireValue(whole))).toBe(textOf(result()));
});

test("cells that are in no part are named, and those in two", () => {
  const [third, first, second] = parts;
  const missing = faultsOf(third, first);
  expect(missing).toHaveLength(8);
  expect(missing[0]).toBe('"sliding_log, edges, 1 gateway" is in no part');
  const twice = { ...second, file: "again.json" };
  expect(faultsOf(third, first, second, twice)[0]).toBe(
    'again.json: cell "sliding_log, edges, 1 gateway" is in part-2.json too; leave out one of the files',
  );
});

test.each([
  [{ seed: 8 }, "stranger.json: has seed 8, and part-3.json 7"],
  [{ commit: "beef" }, "stranger.json: was run by commit beef, and part-3.json c0ffee"],
  [{ commit: null }, "stranger.json: was run by commit unknown, and part-3.json c0ffee"],
  [
    { suite: { ...ORIGIN.suite, hash: "1" } },
    `stranger.json: is of suite 1, and part-3.json ${ORIGIN.suite.hash}`,
  ],
])("a part with %j belongs to another run", (origin, message) => {
  const stranger = { file: "stranger.json", result: result({ index: 1, of: 3 }, origin) };
  expect(faultsOf(parts[0], stranger)).toEqual([message]);
});

const text = textOf(result());

test.each([
  ["", /no JSON/],
  [text.slice(0, 5000), /no JSON/],
  ["[]", /no weir-pareto\/1/],
  ['{"format":"weir-bench/2"}', /no weir-pareto\/1/],
  ['{"format":"weir-pareto/1","cells":[]}', /footer are missing/],
  [text.replace('"cells": 24', '"cells": 23'), /footer counts 23 cells, and there are 24/],
  [text.replace('"rate": 100', '"rate": 1000'), /hash does not match/],
  [text.replace('"name": "drl, edges, 1 gateway"', '"name": "drl"'), /not part of the suite/],
  [text.replace('"seed": 7', '"seed": null'), /seed or shard is missing/],
  [
    text.replace('"operations": 3,', '"operations": "3",'),
    /"fixed_window, edges, 1 gateway" lacks metrics of some runs/,
  ],
  [
    textOf({ ...result(), cells: result().cells.map((_, at, all) => all[Math.max(1, at)]!) }),
    /is duplicate, or not part/,
  ],
  [text.replace('"over": 0,', '"over": -500,'), /lacks metrics of some runs/],
  [text.replace('"over": 0,', '"over": 101,'), /lacks metrics of some runs/],
])("a broken result is rejected: %#", (broken, message) => {
  expect(broken).not.toBe(text);
  expect(messageOf(readResult(broken, hash))).toMatch(message);
});

test("an interrupted result is marked incomplete, and can be read", () => {
  const partial = resultOf(ORIGIN, { index: 1, of: 1 }, new Map([[3, figuresAt(3)]]));
  expect(partial.footer).toEqual({ cells: 1, of: 24, complete: false });
  expect(readResult(textOf(partial), hash)).toEqual(partial);
});
