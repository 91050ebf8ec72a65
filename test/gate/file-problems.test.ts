import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileProblems, noticesOf, type FileRun } from "./file-problems.ts";
import {
  ALLOWED_SKIPS,
  IN_POSTGRES,
  LONG_QUICK_FILE,
  LONG_TESTS,
  REST_FILES,
  REST_FOLDERS,
} from "./jobs.ts";

const root = join(import.meta.dirname, "../..");

const RUN: FileRun = {
  path: "test/kit/units.test.ts",
  isQuick: true,
  ownSeconds: 6,
  emptySuites: [],
  skippedTests: [],
};

test("a quick file of six seconds without a skipped test has no problem", () => {
  expect(fileProblems(RUN, true)).toEqual([]);
  expect(noticesOf(RUN)).toEqual([]);
});

const SLOW = "test/kit/units.test.ts takes 12.1 s of its own, over 6 s: ";

test.each([
  [{ ownSeconds: 12.1 }, SLOW],
  [{ emptySuites: ["nginx"] }, 'test/kit/units.test.ts "nginx" has no test: '],
  [{ skippedTests: ["fish completes"] }, 'test/kit/units.test.ts skips "fish completes": '],
])("%j is a problem", (change, problem) => {
  const problems = fileProblems({ ...RUN, ...change }, true);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

test("a quick file over the bound is named, and fails at twice the bound", () => {
  const slow = { ...RUN, ownSeconds: 6.1 };
  expect(fileProblems(slow, true)).toEqual([]);
  expect(noticesOf(slow)).toEqual([expect.stringContaining("takes 6.1 s of its own, over 6 s: ")]);
  expect(noticesOf({ ...RUN, ownSeconds: 12.1 })).toEqual([]);
});

test.each([{ isQuick: false }, { path: LONG_QUICK_FILE }])(
  "with %j it takes as long as it needs",
  (change) => {
    const run = { ...RUN, ownSeconds: 100, ...change };
    expect([...fileProblems(run, true), ...noticesOf(run)]).toEqual([]);
  },
);

test("a test may be skipped where programs are missing, and an allowed one everywhere", () => {
  expect(fileProblems({ ...RUN, skippedTests: ["fish completes"] }, false)).toEqual([]);
  const [allowed] = ALLOWED_SKIPS;
  const skipped = { ...RUN, path: allowed!.file, skippedTests: [`a test ${allowed!.title}`] };
  expect(fileProblems(skipped, true)).toEqual([]);
});

test.each([
  ...REST_FILES,
  ...IN_POSTGRES,
  LONG_QUICK_FILE,
  ...LONG_TESTS.keys(),
  ...ALLOWED_SKIPS.map(({ file }) => file),
])("%s is there", (pattern) => {
  expect(globSync(pattern, { cwd: root })).not.toEqual([]);
});

test.each(REST_FOLDERS)("test/%s has tests", (folder) => {
  expect(globSync(join(root, "test", folder, "**/*.test.ts")).length).toBeGreaterThan(0);
});
