// The lengths of files: 350 lines at most, and in src 15 at least.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longestFile, problemsIn, shortestFile, SHORT_FILES } from "./tidy.ts";

const root = join(import.meta.dirname, "..");

const withLines = (count: number): string => "const line = 1;\n".repeat(count);

const SHORT = withLines(shortestFile - 1);
const TYPES = `import type {
  B,
} from "./b.ts";

// A port.
export interface A {
  readonly b: B;
}
`;

test.each([
  [
    "src/limiter/core/a.ts",
    withLines(longestFile + 1),
    "has 351 lines, over 350: split it by subject",
  ],
  ["test/a.ts", withLines(longestFile + 1), "has 351 lines, over 350: split it by subject"],
  ["src/limiter/core/a.ts", SHORT, "has 14 lines, under 15: merge it"],
  ["src/limiter/core/a.ts", `${TYPES}export const a = 1;\n`, "has 9 lines, under 15: merge it"],
  ["src/limiter/core/a.ts", `${TYPES}run();\n`, "has 9 lines, under 15: merge it"],
  [
    "src/limiter/core/a.ts",
    `import { B } from "./b.ts";\n${TYPES}`,
    "has 9 lines, under 15: merge it",
  ],
])("%s has a problem", (path, text, problem) => {
  expect(problemsIn({ path, text }).join("\n")).toContain(`${path} ${problem}`);
});

test.each([
  ["src/limiter/core/a.ts", withLines(longestFile)],
  ["src/limiter/core/a.ts", withLines(shortestFile)],
  ["src/limiter/core/a.ts", TYPES],
  ["src/lab/run/a-worker.node.ts", SHORT],
  ["src/lab/report/format.ts", SHORT],
  ["test/a.ts", SHORT],
  ["bench/a.ts", SHORT],
])("%s may have these lines", (path, text) => {
  expect(problemsIn({ path, text })).toEqual([]);
});

const lineCount = (path: string): number =>
  readFileSync(join(root, path), "utf8").split("\n").length - 1;

test.each(["test/tidy.ts", "test/tidy.test.ts"])(
  "%s has no more lines than files that the tidy test reads",
  (path) => {
    expect(lineCount(path)).toBeLessThanOrEqual(longestFile);
  },
);

test.each([...SHORT_FILES.keys()])("%s exists, and is short", (path) => {
  expect(lineCount(path)).toBeLessThan(shortestFile);
});
