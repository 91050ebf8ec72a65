import { describe, expect, test } from "vitest";
import {
  allOf,
  emptyUs,
  giveBack,
  remaining,
  spend,
  TWO_WINDOWS_WIDTH,
  wait,
} from "#src/limiter/algorithms/sliding-window-counter/rule.ts";

const PER = 1000;
const spent = (...stamps: readonly number[]): Float64Array => {
  const cells = new Float64Array(TWO_WINDOWS_WIDTH);
  for (const us of stamps) spend(cells, 0, PER, us, 1);
  return cells;
};
const four = [100, 200, 300, 400];

describe("how long until one more passes (ALG-C9)", () => {
  test.each([
    // Admitted while previous * (part still inside) + current + 1 <= rate.
    ["nothing yet", 4, [], 100, 0],
    ["room in the first window", 4, [100, 200, 300], 400, 0],
    ["the first window is full: in the next its weight must shrink by one", 4, four, 500, 750],
    ["a quarter of the older one has left", 4, four, 1250, 0],
    ["a microsecond before that", 4, four, 1249, 1],
    ["two have come since: three quarters must have left", 4, [...four, 1500, 1500], 1500, 250],
    [
      "three have come since: all of the older one must have left",
      4,
      [...four, 1500, 1500, 1500],
      1500,
      500,
    ],
    ["of a rate of one, the older one must have left", 1, [100], 1999, 1],
    ["it is full anew", 2, [100, 1999, 1999], 1999, 501],
    ["the window before the one before is forgotten", 4, four, 3000, 0],
    ["of a rate of one, both windows must have passed", 1, [100], 100, 1900],
    ["decimals count", 4.5, four, 1125, 0],
    ["and are exact", 4.5, four, 1124, 1],
    ["nothing may ever pass", 0, [], 100, Number.POSITIVE_INFINITY],
    ["nothing may pass any more", 0, four, 500, Number.POSITIVE_INFINITY],
  ] as const)("%s", (_, rate, stamps, nowUs, expected) => {
    expect(wait(spent(...stamps), 0, rate, PER, nowUs, 1)).toBe(expected);
  });

  test("a clock that is behind joins the window that others have begun", () => {
    expect(wait(spent(2000, 2000), 0, 2, PER, 1990, 1)).toBe(1510);
  });
});

describe("the remaining requests", () => {
  test.each([
    [400, 0],
    [1000, 0],
    [1250, 1],
    [1999, 3],
    [2000, 4],
  ])("at %d us of four after four in the first window is %d", (nowUs, left) => {
    expect(remaining(spent(...four), 0, 4, PER, nowUs)).toBe(left);
  });

  test("is all when both windows have passed", () => {
    expect(emptyUs(spent(100), 0, PER)).toBe(2000);
    expect(emptyUs(spent(100, 1100), 0, PER)).toBe(3000);
  });

  test("is all at the end of a window in which everything was given back", () => {
    const cells = spent(100, 1100);
    giveBack(cells, 0, PER, 1100, 1);
    expect(emptyUs(cells, 0, PER)).toBe(2000);
  });
});

describe("a refund (LIM-C1)", () => {
  const remainingAt = (cells: Float64Array, nowUs: number): number =>
    remaining(cells, 0, 4, PER, nowUs);

  test("counts no more in the window that it was taken in", () => {
    const cells = spent(100, 200);
    giveBack(cells, 0, PER, 200, 1);
    expect(remainingAt(cells, 300)).toBe(3);
  });

  test("counts no more when that has become the older one", () => {
    const cells = spent(100, 150, 200, 1100);
    expect(remainingAt(cells, 1500)).toBe(1); // half of three, and one
    giveBack(cells, 0, PER, 200, 1);
    expect(remainingAt(cells, 1500)).toBe(2); // half of two, and one
  });

  test("is nothing when both have passed", () => {
    const cells = spent(100, 1100, 1100, 1100, 2100);
    giveBack(cells, 0, PER, 100, 1);
    expect(remainingAt(cells, 2500)).toBe(1); // half of three, and one
  });
});

test("budgets in neighbouring rows do not change each other", () => {
  const cells = new Float64Array(3 * TWO_WINDOWS_WIDTH);
  const remainders = () => [0, 1, 2].map((row) => remaining(cells, row, 4, PER, 2100));
  for (const row of [0, 1, 2]) spend(cells, row, PER, 2100, 1);
  giveBack(cells, 1, PER, 100, 1);
  expect(remainders()).toEqual([3, 3, 3]);
  giveBack(cells, 1, PER, 2100, 1);
  expect(remainders()).toEqual([3, 4, 3]);
});

test("rate times window is exact where a double is no longer", () => {
  expect(allOf(3.999999, 31_536_000_000_000)).toBe(126_143_968_464_000);
  expect(allOf(6.75, 86_400_000_001)).toBe(583_200_000_006);
  expect(allOf(0.000001, 999_999)).toBe(0);
  expect(allOf(1_000_000, 31_536_000_000_000)).toBe(1_000_000 * 31_536_000_000_000);
});
