import { expect, test } from "vitest";
import type { RequirementResult } from "../../src/check/by-requirement.ts";
import { speedUp, unprovenLines } from "../../src/cli/run-text.ts";

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
