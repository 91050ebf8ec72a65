import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEBT_WIDTH,
  giveBack,
  lastsUs,
  paidOffByUs,
  paidOffUs,
  remaining,
  spend,
  wait,
} from "#src/limiter/algorithms/token-bucket/rule.ts";
import { holds } from "../../../runs.ts";

const PER = 1000;
const spent = (rate: number, ...stamps: readonly number[]): Float64Array => {
  const cells = new Float64Array(DEBT_WIDTH);
  for (const us of stamps) spend(cells, 0, rate, PER, us, 1);
  return cells;
};

describe("how long until one more passes (ALG-C9)", () => {
  test.each([
    // rate, burst, taken at, now, wait
    ["a full bucket", 4, 4, [], 100, 0],
    ["the last of a bucket", 4, 4, [100, 100, 100], 100, 0],
    ["an empty bucket: one comes every 250", 4, 4, [100, 100, 100, 100], 100, 250],
    ["a bucket that fills meanwhile", 4, 4, [100, 100, 100, 100], 349, 1],
    ["a bucket with one in it", 4, 4, [100, 100, 100, 100], 350, 0],
    ["no tolerance: one every 250", 4, 1, [100], 349, 1],
    ["no tolerance, and time for it", 4, 1, [100], 350, 0],
    ["tolerance for one more", 4, 2, [100], 100, 0],
    ["thirds are rounded up to the microsecond", 3, 1, [0], 0, 334],
    ["and are there then", 3, 1, [0], 334, 0],
    ["decimals pay back at their own pace", 2.5, 2, [0, 0], 0, 400],
    ["nothing may ever pass", 0, 0, [], 100, Number.POSITIVE_INFINITY],
    ["less than one never passes", 0.5, 0, [], 100, Number.POSITIVE_INFINITY],
    ["this clock is behind the last one's", 4, 1, [100], 90, 260],
  ] as const)("%s", (_, rate, burst, stamps, nowUs, expected) => {
    expect(wait(spent(rate, ...stamps), 0, rate, burst, PER, nowUs)).toBe(expected);
  });
});

describe("a debt", () => {
  test("is nothing that can be paid in advance", () => {
    const cells = spent(4, 0, 5000);
    expect(wait(cells, 0, 4, 1, PER, 5000)).toBe(250);
  });

  test("is paid off when it is, by the microsecond", () => {
    expect(paidOffUs(spent(3, 0, 0), 0, 3, PER)).toBe(667);
    expect(paidOffUs(new Float64Array(DEBT_WIDTH), 0, 3, PER)).toBe(0);
  });

  test("is paid off a window after the last request at the latest, whatever the rate", () => {
    const cells = spent(4, 0, 0, 0, 0);
    expect(paidOffByUs(cells, 0, PER)).toBe(1000);
    expect(paidOffUs(cells, 0, 4, PER)).toBeLessThanOrEqual(1000);
    // At a rate that was lowered it would take four windows to pay.
    expect(paidOffUs(cells, 0, 1, PER)).toBe(1000);
    expect([wait(cells, 0, 1, 1, PER, 400), wait(cells, 0, 1, 1, PER, -50)]).toEqual([600, 1050]);
    expect([999, 1000].map((us) => wait(cells, 0, 1, 1, PER, us))).toEqual([1, 0]);
    expect([999, 1000].map((us) => remaining(cells, 0, 1, 1, PER, us))).toEqual([0, 1]);
    spend(cells, 0, 1, PER, 1000, 1);
    expect(wait(cells, 0, 1, 1, PER, 1500)).toBe(500);
  });

  test("of a burst above the rate is paid back at the rate, for longer than a window", () => {
    const [rate, burst] = [1, 4];
    const longestUs = lastsUs(rate, burst, PER);
    expect(longestUs).toBe(4000);
    const cells = new Float64Array(DEBT_WIDTH);
    const waitAt = (us: number): number => wait(cells, 0, rate, burst, PER, us, longestUs);
    for (let i = 0; i < 4; i++) {
      expect(waitAt(0)).toBe(0);
      spend(cells, 0, rate, PER, 0, 1, longestUs);
    }
    expect([0, 999, 1000].map(waitAt)).toEqual([1000, 1, 0]);
    expect(
      [0, 1000, 2500, 4000].map((us) => remaining(cells, 0, rate, burst, PER, us, longestUs)),
    ).toEqual([0, 1, 2, 4]);
    expect([paidOffUs(cells, 0, rate, longestUs), paidOffByUs(cells, 0, longestUs)]).toEqual([
      4000, 4000,
    ]);
  });

  test("equals no debt once a store may drop it, at whatever rates it was taken and is evaluated", () => {
    const rate = fc.integer({ min: 1, max: 50 });
    const taken = fc.record({ rate, afterUs: fc.nat(2 * PER) });
    holds(
      fc.property(fc.array(taken, { maxLength: 30 }), rate, fc.nat(PER), (all, burst, more) => {
        const cells = new Float64Array(DEBT_WIDTH);
        let nowUs = 0;
        for (const { rate: at, afterUs } of all) {
          nowUs += afterUs;
          if (wait(cells, 0, at, at, PER, nowUs) === 0) spend(cells, 0, at, PER, nowUs, 1);
        }
        const gone = Math.max(nowUs, paidOffByUs(cells, 0, PER));
        const none = new Float64Array(DEBT_WIDTH);
        for (const budget of [cells, none]) {
          expect(wait(budget, 0, burst, burst, PER, gone + more)).toBe(0);
          expect(remaining(budget, 0, burst, burst, PER, gone + more)).toBe(burst);
        }
        expect(nowUs + wait(cells, 0, burst, 1, PER, nowUs)).toBeLessThanOrEqual(gone);
      }),
      100,
    );
  });

  test("that is given back is not owed, and never less than nothing is", () => {
    const cells = spent(4, 0, 0);
    giveBack(cells, 0, PER, 1);
    expect(remaining(cells, 0, 4, 4, PER, 0)).toBe(3);
    giveBack(cells, 0, PER, 1);
    giveBack(cells, 0, PER, 1);
    expect(remaining(cells, 0, 4, 4, PER, 0)).toBe(4);
  });

  test.each([
    [0, 2],
    [249, 2],
    [250, 3],
    [500, 4],
    [9999, 4],
  ])("leaves at %d us of two in a bucket of four %d", (nowUs, left) => {
    expect(remaining(spent(4, 0, 0), 0, 4, 4, PER, nowUs)).toBe(left);
  });
});

test("budgets in neighbouring rows do not change each other", () => {
  const cells = new Float64Array(3 * DEBT_WIDTH);
  const remainders = () => [0, 1, 2].map((row) => remaining(cells, row, 4, 4, PER, 0));
  spend(cells, 1, 4, PER, 0, 1);
  expect(remainders()).toEqual([4, 3, 4]);
  for (const row of [0, 2]) spend(cells, row, 4, PER, 0, 1);
  giveBack(cells, 1, PER, 1);
  expect(remainders()).toEqual([3, 4, 3]);
});

describe("decimals are exact (ALG-C9)", () => {
  test("a request paid back at 4.2 in 0.75 s is available at its microsecond, and not before", () => {
    // Three quarters of a second pay 4.2 back: from here on a plain double would owe 3.0000000001.
    const perUs = 750_000;
    const cells = new Float64Array(DEBT_WIDTH);
    const taken = [0, 0, 250_000, 500_000, 500_000, 642_857, 750_000, 785_714, 928_571, 1_185_106];
    for (const us of taken) spend(cells, 0, 4.2, perUs, us, 1);
    expect(wait(cells, 0, 4.2, 4, perUs, 1_249_999)).toBe(1);
    expect(wait(cells, 0, 4.2, 4, perUs, 1_250_000)).toBe(0);
    expect(remaining(cells, 0, 4.2, 4, perUs, 1_250_000)).toBe(1);
  });

  test("also after a hundred thousand requests", () => {
    const perUs = 1_000_000;
    const cells = new Float64Array(DEBT_WIDTH);
    // 2.5 requests come in a second and 2.500001 are paid back, so that what is left is known exactly.
    for (let i = 0; i < 2; i++) spend(cells, 0, 2.500001, perUs, 0, 1);
    for (let i = 1; i <= 100_000; i++) spend(cells, 0, 2.500001, perUs, i * 400_000, 1);
    expect(paidOffUs(cells, 0, 2.500001, perUs) - 100_000 * 400_000).toBe(
      Math.ceil((2_000_000 - 100_000 * 0.4) / 2.500001),
    );
  });

  test("also in a window of a day, where a double has no millionths left", () => {
    const perUs = 86_400_000_000;
    const cells = new Float64Array(DEBT_WIDTH);
    for (const us of [999, 2_998]) spend(cells, 0, 6.75, perUs, us, 1);
    // Each request is paid back in 12,800 s.
    expect(paidOffUs(cells, 0, 6.75, perUs)).toBe(999 + 2 * 12_800_000_000);
    expect(wait(cells, 0, 6.75, 1, perUs, 999 + 2 * 12_800_000_000 - 1)).toBe(1);
    expect(wait(cells, 0, 6.75, 1, perUs, 999 + 2 * 12_800_000_000)).toBe(0);
  });
});
