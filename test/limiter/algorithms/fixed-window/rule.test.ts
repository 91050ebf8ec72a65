import { describe, expect, test } from "vitest";
import {
  COUNTER_WIDTH,
  endUs,
  giveBack,
  spend,
  countAt,
  wait,
} from "#src/limiter/algorithms/fixed-window/rule.ts";

const PER = 1000;
const blank = (): Float64Array => new Float64Array(COUNTER_WIDTH).fill(Number.NEGATIVE_INFINITY);
const spent = (...stamps: readonly number[]): Float64Array => {
  const cells = blank();
  for (const us of stamps) spend(cells, 0, PER, us, false, 1);
  return cells;
};

describe("how long until one more passes (ALG-8, ALG-C3)", () => {
  test.each([
    ["nothing was counted", [], 1, 5, 0],
    ["there is room", [5], 2, 5, 0],
    ["the window is full", [5], 1, 5, 1000],
    ["it is nearly over", [5], 1, 1004, 1],
    ["it is over: its end belongs to the next one", [5], 1, 1005, 0],
    ["this clock is behind the one that began it", [500], 1, 400, 1100],
    ["nothing may ever pass", [], 0, 5, Number.POSITIVE_INFINITY],
  ] as const)("%s", (_, stamps, capacity, nowUs, expected) => {
    expect(wait(spent(...stamps), 0, capacity, PER, nowUs)).toBe(expected);
  });
});

describe("a window", () => {
  test("starts with the first request counted, and the next one with the first after it", () => {
    const cells = spent(5, 900);
    expect(endUs(cells, 0, PER)).toBe(1005);
    expect(spend(cells, 0, PER, 1200, false, 1)).toBe(1);
    expect(endUs(cells, 0, PER)).toBe(2200);
  });

  test("starts at multiples of its length if it starts at the clock", () => {
    const cells = blank();
    spend(cells, 0, PER, 2300, true, 1);
    expect(endUs(cells, 0, PER)).toBe(3000);
  });

  test("that has ended holds nothing", () => {
    expect(countAt(spent(5, 6), 0, PER, 1004)).toBe(2);
    expect(countAt(spent(5, 6), 0, PER, 1005)).toBe(0);
  });

  test("never ends where its length is infinite, as with a quota that does not renew (LIM-C9)", () => {
    const cells = blank();
    spend(cells, 0, Number.POSITIVE_INFINITY, 5, false, 1);
    expect(countAt(cells, 0, Number.POSITIVE_INFINITY, 1e18)).toBe(1);
    expect(wait(cells, 0, 1, Number.POSITIVE_INFINITY, 1e18)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a refund (LIM-C1)", () => {
  test("counts no more", () => {
    const cells = spent(5, 6);
    giveBack(cells, 0, PER, 6, 1);
    expect(countAt(cells, 0, PER, 7)).toBe(1);
    expect(endUs(cells, 0, PER)).toBe(1005);
  });

  test("of the only request removes the window, because no counted request began it", () => {
    const cells = spent(5);
    giveBack(cells, 0, PER, 5, 1);
    spend(cells, 0, PER, 700, false, 1);
    expect(endUs(cells, 0, PER)).toBe(1700);
  });

  test("is nothing once the window has ended", () => {
    const cells = spent(5, 1200);
    giveBack(cells, 0, PER, 5, 1);
    expect(countAt(cells, 0, PER, 1200)).toBe(1);
  });

  test("is nothing twice", () => {
    const cells = spent(5);
    giveBack(cells, 0, PER, 5, 1);
    giveBack(cells, 0, PER, 5, 1);
    expect(countAt(cells, 0, PER, 5)).toBe(0);
    expect(spend(cells, 0, PER, 6, false, 1)).toBe(1);
  });
});

test("budgets in neighbouring rows do not change each other", () => {
  const cells = new Float64Array(3 * COUNTER_WIDTH).fill(Number.NEGATIVE_INFINITY);
  spend(cells, 1, PER, 5, false, 1);
  expect([0, 1, 2].map((row) => countAt(cells, row, PER, 5))).toEqual([0, 1, 0]);
  for (const row of [0, 2]) spend(cells, row, PER, 5, false, 1);
  giveBack(cells, 1, PER, 5, 1);
  expect([0, 1, 2].map((row) => countAt(cells, row, PER, 5))).toEqual([1, 0, 1]);
});
