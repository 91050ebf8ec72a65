import { expect, test } from "vitest";
import { table } from "#src/kit/reading/table.ts";

test("no cell of a table begins a line or controls the terminal", () => {
  const hostile = "x\n::error::owned <img> @everyone \u001B[31m";
  const lines = table(
    [
      { title: hostile, cells: [hostile, "short"], isNumber: false },
      { title: "count", cells: ["1", "22"], isNumber: true },
    ],
    (_, text) => text,
  );
  const escaped = String.raw`x\n::error::owned <img> @everyone \u001b[31m`;
  expect(lines).toEqual([
    `${escaped}  count`,
    `${escaped}      1`,
    `${"short".padEnd(escaped.length)}     22`,
  ]);
});
