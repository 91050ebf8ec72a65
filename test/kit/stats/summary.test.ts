import { expect, test } from "vitest";
import { ratios, shuffle, spreadOf, summarise } from "#src/kit/stats/summary.ts";

test.each([
  [[3], { median: 3, min: 3, max: 3 }],
  [[9, 1, 4], { median: 4, min: 1, max: 9 }],
  [[4, 1, 2, 100], { median: 3, min: 1, max: 100 }],
])("the summary of %j has the median and both ends", (values, expected) => {
  expect(summarise(values)).toEqual(expected);
});

test("nothing has no summary", () => {
  expect(() => summarise([])).toThrow("nothing to summarise");
});

test.each([
  [[3], { median: 3, mad: 0, min: 3, max: 3 }],
  [[1, 2, 4, 7], { median: 3, mad: 1.5, min: 1, max: 7 }],
  [[10, 11, 12, 13, 1000], { median: 12, mad: 1, min: 10, max: 1000 }],
])("the spread of %j is not moved by one extreme repeat", (values, expected) => {
  expect(spreadOf(values)).toEqual(expected);
});

test("ratios are formed pair by pair", () => {
  expect(ratios([2, 4], [4, 4])).toEqual([0.5, 1]);
  // A machine that halves its speed in the second repeat changes no ratio.
  expect(ratios([10, 20], [50, 100])).toEqual([0.2, 0.2]);
});

test("measurements without a partner form no ratio", () => {
  expect(() => ratios([1, 2], [1])).toThrow("2 measurements cannot pair with 1");
});

test("shuffling keeps all items, and each draw decides one position", () => {
  const draws = [0, 1, 0];
  const limits: number[] = [];
  const order = shuffle(["a", "b", "c", "d"], (limit) => {
    limits.push(limit);
    return draws.shift()!;
  });
  expect(limits).toEqual([4, 3, 2]);
  expect(order).toEqual(["c", "d", "b", "a"]);
});
