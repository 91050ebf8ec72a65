// The list of changes that no test notices is about the code as it is, and the command that reads it notices what is wrong.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  compareWithReport,
  findStaleRows,
  readSurvivors,
  type MutationReport,
} from "./mutation-survivors.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string | null =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : null;

const listed = readSurvivors(read("test/mutation-survivors.yaml")!);

test("every row quotes code that is in its file, as often as it has to be", () => {
  expect(listed.rows.length).toBeGreaterThan(100);
  expect(findStaleRows(listed, read)).toEqual([]);
});

test("the page has a score for each folder of the list, and no other", () => {
  const page = read("docs/inside/mutation-testing.md")!;
  const scored = [...page.matchAll(/^\| `(src\/[^`]+)` +\| \d+ % /gm)].map(([, folder]) => folder);
  expect(scored).toEqual(listed.folders);
});

const SOURCE = `export const most = (a: number[]): number => {
  let best = -1;
  for (const one of a) if (one > best) best = one;
  return best > 0 ? best : 0;
};
`;

const listOf = (...rows: readonly object[]) =>
  readSurvivors(JSON.stringify({ "src/a": { "most.ts": rows } }));

const ROW = { code: "best > 0", becomes: "best >= 0", because: "0 is 0 either way" };
const readSource = (file: string): string | null => (file === "src/a/most.ts" ? SOURCE : null);

test.each<[string, readonly object[], string]>([
  ["code that is gone", [{ ...ROW, code: "best > 1" }], "the code occurs 0 times, and not 1"],
  ["code in two places", [{ ...ROW, code: "best = " }], "the code occurs 2 times, and not 1"],
  ["fewer places", [{ ...ROW, code: "one", places: 4 }], "the code occurs 3 times, and not 4"],
  ["no change", [{ ...ROW, becomes: "best  > 0" }], "this changes nothing"],
  [
    "a change of another row",
    [ROW, { ...ROW, code: "return best > 0", becomes: "return best >= 0" }],
    "another row has this change, too",
  ],
])("a row with %s is stale", (_, rows, problem) => {
  const found = findStaleRows(listOf(...rows), readSource);
  expect(found).toEqual([expect.stringContaining(problem)]);
});

test("a row of another file than there is is stale, and a row may break lines differently", () => {
  const missing = readSurvivors(JSON.stringify({ "src/a": { "least.ts": [ROW] } }));
  expect(findStaleRows(missing, readSource)).toEqual(["src/a/least.ts: there is no such file"]);
  const broken = {
    ...ROW,
    code: "let best = -1;\nfor (const",
    becomes: "let best = +1;\nfor (const",
  };
  expect(findStaleRows(listOf(ROW, broken), readSource)).toEqual([]);
});

test.each([
  [{ ...ROW, because: " " }, "is empty"],
  [{ code: ROW.code, becomes: ROW.becomes }, "expected string"],
  [{ ...ROW, line: 3 }, "Unrecognized key"],
  [{ ...ROW, places: 1 }, "Too small"],
])("a row as %j cannot be read", (row, message) => {
  expect(() => listOf(row)).toThrow(message);
});

/** One mutant: the code at its first place from `after` on. */
function mutant(status: string, code: string, replacement: string, after = "") {
  const from = SOURCE.indexOf(code, SOURCE.indexOf(after));
  const positionOf = (offset: number) => {
    const lines = SOURCE.slice(0, offset).split("\n");
    return { line: lines.length, column: lines.at(-1)!.length + 1 };
  };
  const location = { start: positionOf(from), end: positionOf(from + code.length) };
  return { status, replacement, location };
}

const reportOf = (...mutants: readonly ReturnType<typeof mutant>[]): MutationReport => ({
  files: { "src/a/most.ts": { source: SOURCE, mutants } },
});

const SURVIVOR = mutant("Survived", "best > 0", "best >= 0");

test("a survivor with its reason is no problem, and neither is a change that a test notices", () => {
  const killed = mutant("Killed", "-1", "+1");
  expect(compareWithReport(listOf(ROW), reportOf(SURVIVOR, killed))).toEqual([]);
  const inMore = { ...ROW, code: "return best > 0 ?", becomes: "return best >= 0 ?" };
  expect(compareWithReport(listOf(inMore), reportOf(SURVIVOR, killed))).toEqual([]);
});

test.each(["Survived", "NoCoverage"])("a change that is %s needs a reason of its own", (status) => {
  const other = mutant(status, "best", "one", "? best");
  expect(compareWithReport(listOf(ROW), reportOf(SURVIVOR, other))).toEqual([
    'src/a/most.ts:4 "best" as "one": it survives without a reason',
  ]);
});

test.each(["Killed", "Timeout"])("a row whose change is %s has to be removed", (status) => {
  const noticed = mutant(status, "best > 0", "best >= 0");
  expect(compareWithReport(listOf(ROW), reportOf(noticed))).toEqual([
    'src/a/most.ts: "best > 0" as "best >= 0": 1 of 1 places do not survive; remove it',
  ]);
});

test("a row of several places is compared place by place", () => {
  const row = { ...ROW, code: "best = ", becomes: "best -= ", places: 2 };
  const first = mutant("Survived", "best = ", "best -= ");
  const second = mutant("Killed", "best = ", "best -= ", "best) best");
  expect(compareWithReport(listOf(row), reportOf(first, second))).toEqual([
    'src/a/most.ts: "best =" as "best -=": 1 of 2 places do not survive; remove it',
  ]);
});

test("files of other folders are not compared", () => {
  const { files } = reportOf(SURVIVOR);
  const elsewhere = { files: { "src/b/most.ts": files["src/a/most.ts"]! } };
  expect(compareWithReport(listOf(ROW), elsewhere)).toEqual([]);
});
