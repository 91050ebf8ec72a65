import { expect, test } from "vitest";
import { compare, formatComparison, formatInterval } from "#src/lab/check/interval.ts";
import type { Comparison } from "#src/lab/scenario/types.ts";

const CASES: readonly [Comparison, number, number, string][] = [
  [{ op: "equals", value: 5 }, 5, 5, "pass"],
  [{ op: "equals", value: 5 }, 4, 5, "inconclusive"],
  [{ op: "equals", value: 5 }, 3, 4, "fail"],
  [{ op: "atLeast", value: 5 }, 5, 9, "pass"],
  [{ op: "atLeast", value: 5 }, 4, 5, "inconclusive"],
  [{ op: "atLeast", value: 5 }, 1, 4, "fail"],
  [{ op: "atMost", value: 5 }, 0, 5, "pass"],
  [{ op: "atMost", value: 5 }, 5, 6, "inconclusive"],
  [{ op: "atMost", value: 5 }, 6, 6, "fail"],
  [{ op: "between", from: 2, to: 4 }, 2, 4, "pass"],
  [{ op: "between", from: 2, to: 4 }, 1, 9, "inconclusive"],
  [{ op: "between", from: 2, to: 4 }, 5, 9, "fail"],
];

test.each(CASES)("%j of [%d, %d] is %s", (comparison, from, to, outcome) => {
  expect(compare({ from, to }, comparison)).toBe(outcome);
});

test("an interval of one value is written as that value", () => {
  expect([formatInterval({ from: 3, to: 3 }), formatInterval({ from: 3, to: 5 })]).toEqual([
    "3",
    "[3, 5]",
  ]);
  expect(formatComparison({ op: "between", from: 2, to: 4 }, (value) => `${value}s`)).toBe(
    "between 2s and 4s",
  );
});
