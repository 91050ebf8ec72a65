import { expect, test } from "vitest";
import { minimise } from "#src/studies/worst/minimise.ts";
import {
  patternOf,
  requestsIn,
  type Burst,
  type ArrivalPattern,
} from "#src/studies/worst/pattern.ts";
import type { PatternResult } from "#src/studies/worst/run-pattern.ts";

const burst = (atUs: number, count: number): Burst => ({ atUs, count, client: 0 });

/** The smallest pattern for which `holds` is true. */
const smallest = (
  start: readonly Burst[],
  holds: (pattern: ArrivalPattern) => boolean,
): ArrivalPattern => {
  const resultOf = (pattern: ArrivalPattern): PatternResult => ({ pattern, most: 1, inFlight: 0 });
  return minimise(resultOf(patternOf(start)), (pattern) =>
    holds(pattern) ? resultOf(pattern) : null,
  ).pattern;
};

test("bursts that nothing depends on are left out", () => {
  const start = [burst(0, 1), burst(10, 5), burst(20, 9)];
  expect(smallest(start, (pattern) => pattern.some(({ count }) => count === 5))).toEqual([
    burst(0, 5),
  ]);
});

test("a burst has no more requests than it takes", () => {
  expect(smallest([burst(0, 1000)], (pattern) => requestsIn(pattern) >= 637)).toEqual([
    burst(0, 637),
  ]);
});

test("bursts that may be merged are merged", () => {
  const start = [burst(0, 3), burst(7, 4), burst(9, 5)];
  expect(smallest(start, (pattern) => requestsIn(pattern) >= 12)).toEqual([burst(0, 12)]);
});

test("times are as round as they may be, however one depends on another", () => {
  const start = [burst(1_234_567, 1), burst(2_234_566, 1)];
  const isClose = (pattern: ArrivalPattern): boolean => {
    const [one, other] = pattern;
    return one !== undefined && other !== undefined && other.atUs - one.atUs >= 999_999;
  };
  expect(smallest(start, isClose)).toEqual([burst(0, 1), burst(1_000_000, 1)]);
  const isLate = (pattern: ArrivalPattern): boolean =>
    isClose(pattern) && pattern[0]!.atUs > 1_200_000;
  expect(smallest(start, isLate)).toEqual([burst(2_000_000, 1), burst(3_000_000, 1)]);
});

test("a pattern that cannot be smaller stays the same", () => {
  const start = [burst(3, 2), burst(8, 2)];
  expect(smallest(start, () => false)).toEqual(start);
});
