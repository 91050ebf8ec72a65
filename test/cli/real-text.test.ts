import { expect, test } from "vitest";
import { doubtOf } from "../../src/cli/real-text.ts";
import { problemsOfRun } from "../../src/cli/run-report.ts";
import { NO_TOTALS, type Result } from "../../src/scenario/verdict.ts";

const resultWith = (more: Partial<Result>): Result => ({
  scenario: "limits/one",
  file: "scenarios/limits/one.yaml",
  variant: "gcra",
  axes: {},
  driver: "redis",
  seed: 1,
  outcome: "pass",
  unsupported: [],
  verdicts: [],
  because: [],
  decidedBy: [],
  ...NO_TOTALS,
  requests: 100,
  undecided: 0,
  virtualUs: 0,
  ...more,
});

const plain = (_: string, text: string): string => text;

test("a run in virtual time leaves nothing open", () => {
  const { lines, isTooMuch } = doubtOf([resultWith({ driver: "virtual" })], plain);
  expect([lines, isTooMuch]).toEqual([[], false]);
});

test.each([
  [2, "2 of 100 (2.0 %)", false],
  [3, "3 of 100 (3.0 %)", true],
])("of 100 decisions %i may be open: %s", (undecided, line, isTooMuch) => {
  const doubt = doubtOf([resultWith({ undecided })], plain);
  expect(doubt.isTooMuch).toBe(isTooMuch);
  expect(doubt.lines[1]).toBe(`inconclusive: ${line} decisions, 0 of 0 (0.0 %) expectations`);
  expect(doubt.lines.length).toBe(isTooMuch ? 3 : 2);
  const reported = {
    seed: 1,
    results: [resultWith({ undecided })],
    isComplete: true,
    isWhole: false,
  };
  expect(problemsOfRun(reported)).toHaveLength(isTooMuch ? 1 : 0);
});

test("variants that ran again because the machine was busy are named", () => {
  const results = [resultWith({ variant: "a" }), resultWith({ variant: "b", playedBefore: 2 })];
  expect(doubtOf(results, plain).lines).toContain(
    "run again, because the times allowed both outcomes: limits/one b",
  );
});
