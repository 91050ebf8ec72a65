import { expect, test } from "vitest";
import { withKills } from "../../src/mutants/kills-in-file.ts";

const FILE = `id: limits/a
about: >
  kills: nothing here
world:
  apis: {} # as before
`;

const LISTED = `${FILE}kills: [merge/a, merge/b]\n`;

test("the list stands at the end, and nothing else changes", () => {
  expect(withKills(FILE, ["merge/a", "merge/b"])).toBe(LISTED);
});

test("a list that is there is replaced where it is, or taken out when nothing is killed", () => {
  const more = "# drawn\ncharts: []\n";
  expect(withKills(LISTED + more, ["merge/c"])).toBe(`${FILE}kills: [merge/c]\n${more}`);
  expect(withKills(LISTED, [])).toBe(FILE);
});

test("a long list has a line for each, and is replaced as a whole", () => {
  const names = Array.from({ length: 12 }, (_, index) => `smoothing/number-${index}`);
  const long = withKills(FILE, names);
  expect(long).toBe(`${FILE}kills:\n  [\n${names.map((name) => `    ${name},\n`).join("")}  ]\n`);
  expect(withKills(`${long}charts: []\n`, ["merge/a", "merge/b"])).toBe(`${LISTED}charts: []\n`);
});
