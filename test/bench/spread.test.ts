import { expect, test } from "vitest";
import { medianOf, spreadOf } from "../../src/bench/spread.ts";

test.each([
  { values: [3], spread: { median: 3, mad: 0, min: 3, max: 3 } },
  { values: [4, 2], spread: { median: 3, mad: 1, min: 2, max: 4 } },
  // The worked example of the Wikipedia page on the median absolute deviation.
  { values: [1, 1, 2, 2, 4, 6, 9], spread: { median: 2, mad: 1, min: 1, max: 9 } },
  { values: [10, 10, 11, 12, 500], spread: { median: 11, mad: 1, min: 10, max: 500 } },
])("$values come to $spread", ({ values, spread }) => {
  expect(spreadOf(values)).toEqual(spread);
  expect(medianOf(values)).toBe(spread.median);
});

test("nothing has no median", () => {
  expect(() => medianOf([])).toThrow("nothing has no median");
});
