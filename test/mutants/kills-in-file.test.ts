import { expect, test } from "vitest";
import { withKills } from "../../src/mutants/kills-in-file.ts";

const FILE = `id: limits/a
about: >
  kills: nothing here
proves: [LIM-1,
  LIM-2]
world:
  apis: {} # as before
`;

const LISTED = FILE.replace("world:", "kills: [merge/a, merge/b]\nworld:");

test("the list stands behind what is proved, and nothing else changes", () => {
  expect(withKills(FILE, ["merge/a", "merge/b"])).toBe(LISTED);
});

test("a list that is there is replaced, or taken out when nothing is killed", () => {
  expect(withKills(LISTED, ["merge/c"])).toBe(LISTED.replace("merge/a, merge/b", "merge/c"));
  expect(withKills(LISTED, [])).toBe(FILE);
});

test("a long list is broken into lines, and read back as one", () => {
  const names = Array.from({ length: 12 }, (_, index) => `smoothing/number-${index}`);
  const long = withKills(FILE, names);
  expect(Math.max(...long.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  expect(withKills(long, ["merge/a", "merge/b"])).toBe(LISTED);
});
