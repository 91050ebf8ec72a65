import { expect, test } from "vitest";
import { costOf, MOST_COST, parseCost } from "#src/limiter/core/cost.ts";

test.each([
  ["1", 1],
  ["007", 7],
  ["1000", MOST_COST],
])("%j is a cost of %d units", (text, cost) => {
  expect(parseCost(text)).toBe(cost);
});

test.each(["0", "0000", "1001", "00001", "-1", "+1", "2.5", "1e2", "two", "3, 4", " 3", "٣", ""])(
  "%j is no cost",
  (text) => {
    expect(parseCost(text)).toBeNull();
  },
);

test("a request costs 1 without the option, the header, or its sender", () => {
  const sender = { address: "", header: (name: string) => (name === "x-cost" ? "5" : null) };
  expect(costOf({ costHeader: "x-cost" }, sender)).toBe(5);
  expect(costOf({ costHeader: null }, sender)).toBe(1);
  expect(costOf({ costHeader: "x-other" }, sender)).toBe(1);
  expect(costOf({ costHeader: "x-cost" })).toBe(1);
});
