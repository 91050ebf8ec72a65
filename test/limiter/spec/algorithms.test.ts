import { expect, test } from "vitest";
import { ALGORITHMS, isLogBased, TRAITS } from "#src/limiter/core/algorithms.ts";
import { SPECIFIED, SPECS } from "#src/limiter/spec/by-algorithm.ts";

test("the limiter has exactly the algorithms that are specified", () => {
  expect(ALGORITHMS).toEqual(SPECIFIED);
});

// Written twice on purpose: a check that used the traits of the limiter could not find them wrong.
test.each(ALGORITHMS)("traits and specification of %s agree", (name) => {
  const { place, lookbackWindows, isWrittenInBackground, isBounded, delays } = TRAITS[name];
  const spec = SPECS[name];
  expect(spec.countedBy).toBe(place);
  expect(spec.countsAttempts).toBe(isLogBased(name));
  expect(spec.isBounded).toBe(isBounded);
  expect(spec.delays).toBe(delays);
  expect(spec.overshootsBy === "mark").toBe(isWrittenInBackground);
  expect(spec.overshootsBy === "commands").toBe(TRAITS[name].sentAsCommands === "always");
  expect(spec.reachWindows).toBeGreaterThanOrEqual(lookbackWindows);
});
