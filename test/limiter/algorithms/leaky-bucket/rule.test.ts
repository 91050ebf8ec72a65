import { describe, expect, test } from "vitest";
import {
  QUEUE_WIDTH,
  delay,
  emptyFromUs,
  giveBack,
  longestUs,
  remaining,
  spend,
  wait,
} from "#src/limiter/algorithms/leaky-bucket/rule.ts";

const PER = 1000;
const spent = (rate: number, ...stamps: readonly number[]): Float64Array => {
  const cells = new Float64Array(QUEUE_WIDTH);
  for (const us of stamps) spend(cells, 0, rate, PER, us, 1);
  return cells;
};

describe("how long a request waits for its turn (ALG-C10)", () => {
  test.each([
    // rate, taken at, now, delay
    ["nobody is before it", 4, [], 100, 0],
    ["one has just left", 4, [100], 100, 250],
    ["one left a while ago", 4, [100], 300, 50],
    ["one left long ago", 4, [100], 350, 0],
    ["two wait, a microsecond later", 4, [100, 100, 100], 101, 749],
    ["thirds are rounded up to the microsecond", 3, [0], 0, 334],
    ["decimals keep their own pace", 2.5, [0, 0], 0, 800],
    ["a queue may last longer than the window", 1, [0, 0, 0], 500, 2500],
    ["this clock is behind the last one's", 4, [100], 90, 260],
    ["this clock is behind by more than the window", 1, [1001], 0, 2001],
  ] as const)("%s", (_, rate, stamps, nowUs, expected) => {
    expect(delay(spent(rate, ...stamps), 0, rate, nowUs)).toBe(expected);
  });
});

describe("how long until one more request has a place (ALG-C10)", () => {
  test.each([
    // rate, places, taken at, now, wait
    ["an empty queue", 4, 3, [], 100, 0],
    ["the last place", 4, 3, [100, 100], 100, 0],
    ["a full queue: a place is free when the next one leaves", 4, 3, [100, 100, 100], 100, 250],
    ["a full queue, a microsecond before", 4, 3, [100, 100, 100], 349, 1],
    ["a full queue, when the next one has left", 4, 3, [100, 100, 100], 350, 0],
    ["without a queue", 4, 1, [100], 100, 250],
    ["nothing may ever pass", 0, 0, [], 100, Number.POSITIVE_INFINITY],
    ["this clock is behind the last one's", 4, 1, [100], 90, 260],
  ] as const)("%s", (_, rate, places, stamps, nowUs, expected) => {
    expect(wait(spent(rate, ...stamps), 0, rate, places, PER, nowUs)).toBe(expected);
  });
});

describe("a queue", () => {
  test("is empty when its last request leaves, at whatever rate that was", () => {
    const cells = spent(2, 0, 0, 0);
    expect(emptyFromUs(cells, 0)).toBe(1500);
    expect([delay(cells, 0, 1, 1499), delay(cells, 0, 1, 1500)]).toEqual([1, 0]);
    expect(delay(cells, 0, 6, 0)).toBe(500);
  });

  test("has as many places as are left", () => {
    const cells = spent(2, 0, 0);
    expect([0, 499, 500, 1000].map((us) => remaining(cells, 0, 2, 3, PER, us))).toEqual([
      1, 1, 2, 3,
    ]);
  });

  test("gets back the last turn alone", () => {
    const cells = spent(2, 0, 100);
    giveBack(cells, 0, PER, 0, 1);
    expect(delay(cells, 0, 2, 100)).toBe(900);
    giveBack(cells, 0, PER, 100, 1);
    expect(delay(cells, 0, 2, 100)).toBe(400);
  });

  test.each([
    [4, 5, 1250],
    [0.5, 1, 2000],
    [0, 0, 0],
  ])("of the rate %d with %d places lasts %d us", (rate, places, us) => {
    expect(longestUs(rate, places, PER)).toBe(us);
  });
});
