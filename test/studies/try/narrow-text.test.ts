// The table of weir try on a narrow terminal: the columns that matter most, and no line over the width.
import { expect, test } from "vitest";
import { tryText } from "#src/studies/try/text.ts";
import type { UnansweredTry } from "#src/studies/try/result.ts";
import { ALL, result } from "../../show/answers/try-premises.ts";

const linesAt = (width: number, hasLegend = false): readonly string[] =>
  tryText(result(["none"], ...ALL), (_, text) => text, { width, hasLegend });

test("a narrow terminal gets one table with the most important columns, and the way to the others", () => {
  const narrow = linesAt(60);
  expect(narrow.filter((line) => line.includes("token_bucket"))).toHaveLength(1);
  expect(narrow.find((line) => line.includes("limit  by"))).toMatch(
    /share +refusals +most in \S+$/,
  );
  expect(narrow.at(-1)).toBe("5 more columns: --legend or --json");
  expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(60);
  const two = linesAt(100);
  expect(two.filter((line) => line.includes("token_bucket"))).toHaveLength(2);
  expect(two.join("\n")).not.toContain("more column");
});

test("waits have columns only if clients retry, or a request waits", () => {
  const textOf = (facts: UnansweredTry): string =>
    tryText(facts, (_, text) => text, { width: 400, hasLegend: false }).join("\n");
  expect(textOf(result(["none"], ...ALL))).not.toContain("wait");
  expect(textOf(result(["none"], "leaky_bucket"))).toMatch(/half wait +99 % wait/);
  const retried = result(["backoff"], ...ALL);
  const never = retried.candidates.map((row) => ({ ...row, successUs: { median: 0, p99: null } }));
  expect(textOf({ ...retried, candidates: never })).toMatch(/half wait +99 % wait/);
});

test("the legend has all columns at any width, and wraps", () => {
  const all = linesAt(60, true);
  expect(all.filter((line) => line.includes("token_bucket")).length).toBeGreaterThan(2);
  expect(all.join("\n")).toContain("commands");
  expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(60);
});
