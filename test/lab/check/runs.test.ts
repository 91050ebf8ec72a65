import { expect, test } from "vitest";
import { encodeRuns, expandRuns, firstDifference, formatRuns } from "#src/lab/check/runs.ts";

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");

test.each([
  ["", "nothing"],
  ["200", "200"],
  ["200 200 429 200", "2*200 429 200"],
])("%j is shown as %j", (text, shown) => {
  expect(formatRuns(encodeRuns(words(text)))).toBe(shown);
  expect(expandRuns(encodeRuns(words(text)))).toEqual(words(text));
});

test.each([
  [24, ""],
  [25, " and 1 runs more"],
  [30, " and 6 runs more"],
])("of %d runs 24 are shown%s", (many, rest) => {
  const [odd, even] = ["200", "429"];
  const all = Array.from({ length: many }, (_, index) => (index % 2 === 0 ? odd : even));
  expect(formatRuns(encodeRuns(all))).toBe(`${all.slice(0, 24).join(" ")}${rest}`);
});

test.each([
  ["1 2 3", "1 2 3", -1],
  ["", "", -1],
  ["1 2 3", "1 2", 2],
  ["1 2", "1 2 3", 2],
  ["1 9 3", "1 2 3", 1],
])("%j and %j differ at %d", (observed, expected, place) => {
  expect(firstDifference(words(observed), words(expected))).toBe(place);
});
