import { expect, test } from "vitest";
import type { RequirementResult } from "#src/lab/check/by-requirement.ts";
import { scenarioLine, speedUp, unprovenLines } from "#src/cli/run-text.ts";
import { variantTable } from "#src/cli/variant-table.ts";
import { NO_TOTALS, type Result } from "#src/lab/scenario/verdict.ts";

const plain = (_tone: string, text: string): string => text;

const resultOf = (id: string, state: "built" | "planned", proved: boolean): RequirementResult => ({
  requirement: { id, tier: "required", section: "", text: "", state },
  outcome: proved ? "pass" : null,
  scenarios: [],
  variants: 0,
});
const proved = [resultOf("A-1", "built", true), resultOf("A-2", "built", true)];
const missing = resultOf("A-3", "built", false);
const later = resultOf("A-4", "planned", false);

const variant = (name: string, delayed: number): Result => ({
  ...NO_TOTALS,
  scenario: "limits/queue",
  file: "queue.yaml",
  variant: name,
  axes: {},
  driver: "virtual",
  seed: 1,
  outcome: "pass",
  unsupported: [],
  verdicts: [],
  because: [],
  decidedBy: [],
  undecided: 0,
  virtualUs: 0,
  requests: 9,
  admitted: 5,
  delayed,
  refused: 4,
});

test("delayed requests are counted where there are any", () => {
  const [none, some] = [variant("burst=1", 0), variant("queue=4", 3)];
  expect(scenarioLine("limits/queue", [none], plain)).toBe(
    "pass limits/queue 9 requests, 4 refused",
  );
  expect(scenarioLine("limits/queue", [none, some], plain)).toBe(
    "pass limits/queue 2 variants, 18 requests, 3 delayed, 8 refused",
  );
  expect(variantTable([none, none], plain).join("\n")).not.toContain("delayed");
  expect(variantTable([none, some], plain).map((line) => line.split(/ {2,}/))).toEqual([
    [""],
    ["", "offered", "admitted", "delayed", "refused", "most in a window", "variant"],
    ["pass", "9", "5", "0", "4", "-", "burst=1"],
    ["pass", "9", "5", "3", "4", "-", "queue=4"],
  ]);
  const rejected = { ...none, requests: 1_200, rejected: 1_191 };
  const table = variantTable([none, rejected], plain);
  expect(table[1]).toContain("refused  rejected  ");
  expect(table[3]).toMatch(/^pass +1,200 +5 +4 +1,191 /);
});

test("a table wider than the terminal begins with the names, and continues below", () => {
  const rows = [variant("burst=1", 0), variant("queue=4", 3)];
  const lines = variantTable(rows, plain, 40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines.filter((line) => line.startsWith("pass  burst=1"))).toHaveLength(3);
  expect(lines.join(" ").match(/offered|admitted|delayed|refused|most in/g)).toHaveLength(5);
  expect(variantTable(rows, plain, 200)).toEqual(variantTable(rows, plain));
});

test("a suite that proves most requirements gets a list of the others", () => {
  expect(unprovenLines(proved, plain)).toEqual([]);
  expect(unprovenLines([...proved, missing, later], plain)).toEqual([
    "",
    "built, and without a scenario: A-3",
    "planned, without a scenario yet: A-4",
  ]);
});

test("a suite that proves a few gets the number of the others", () => {
  expect(unprovenLines([proved[0]!, missing, later], plain).join()).toContain("2 requirements");
});

test.each([
  [0, 12, "0 s of traffic in 0.01 s"],
  [1_500_000, 1500, "1.5 s of traffic in 1.50 s"],
  [60_000_000, 100, "1 min 0 s of traffic in 0.10 s, 600x real time"],
  [820_000_000_000, 2000, "227 h 46 min of traffic in 2.00 s, 410000x real time"],
])("%i us of virtual time in %i ms are printed as: %s", (virtualUs, realMs, text) => {
  expect(speedUp(virtualUs, realMs)).toBe(text);
});
