import { describe, expect, test } from "vitest";
import {
  capacityOf,
  compareEffectiveRate,
  exceedsThreshold,
  hasAtMostSixDecimals,
  isAbsent,
  isUnlimited,
  limitOf,
  millionths,
} from "#src/limiter/core/limit.ts";

describe("effective rates are compared as fractions (LIM-C2, LIM-C4)", () => {
  test.each([
    [5, 1, 4, 1, 1],
    [4, 1, 5, 1, -1],
    [6, 3, 2, 1, 0],
    [1, 3, 2, 6, 0],
    [0.3, 1, 0.1, 1 / 3, -1], // a third of a second is 333333 us
    [1.1, 1, 11, 10, 0], // as doubles these differ
    [0, 1, 0, 9, 0],
    [-1, 1, 1_000_000, 0.001, 1],
    [-1, 1, -1, 5, 0],
    [9_007_199_254, 0.999999, 9_007_199_253, 0.999999, 1], // whose products no double holds
  ])("%d per %d s against %d per %d s: %d", (rate, per, otherRate, otherPer, order) => {
    const [a, b] = [limitOf(rate, per), limitOf(otherRate, otherPer)];
    expect(compareEffectiveRate(a, b)).toBe(order);
    expect(compareEffectiveRate(b, a)).toBe(order === 0 ? 0 : -order);
  });
});

describe("the threshold of DRL is strict and exact (ALG-1, ALG-C1)", () => {
  test.each([
    [10, 1, 2, 5, false], // the document's example: 5 gateways switch at 10 requests per second
    [10.000001, 1, 2, 5, true],
    [11, 1, 2, 5, true],
    [2, 1, 2, 1, false],
    [3, 1, 2, 1, true],
    [600, 60, 2, 5, false],
    [0.3, 1, 0.1, 3, false], // as doubles 0.1 * 3 is more than 0.3
  ])("%d per %d s above %d on each of %d: %s", (rate, per, threshold, gateways, expected) => {
    expect(exceedsThreshold(limitOf(rate, per), threshold, gateways)).toBe(expected);
  });
});

describe("a rate", () => {
  test.each([
    [5, 5],
    [1.999999, 1],
    [0, 0],
  ])("of %d admits %d (LIM-C2)", (rate, capacity) => {
    expect(capacityOf(limitOf(rate, 1))).toBe(capacity);
  });

  test.each([
    [0.1, true],
    [1.999999, true],
    [1.0000001, false],
    [0.30000000000000004, false],
    [9_007_199_254, true],
    [9_007_199_255, false], // its millionths are no longer exact
  ])("of %d has at most six decimals: %s", (rate, expected) => {
    expect(hasAtMostSixDecimals(rate)).toBe(expected);
  });

  test("is whole in millionths, however it is stored", () => {
    expect(millionths(0.1 + 0.2)).toBe(300_000);
  });

  test("of -1 is unlimited, 0 per 0 is not there (LIM-C10, LIM-10)", () => {
    expect(isUnlimited(limitOf(-1, 1))).toBe(true);
    expect(isUnlimited(limitOf(0, 1))).toBe(false);
    expect([isAbsent(0, 0), isAbsent(0, 1), isAbsent(1, 0)]).toEqual([true, false, false]);
  });
});
