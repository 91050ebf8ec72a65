import { describe, expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import {
  forgettableUs,
  nextAllowance,
  settle,
  smoothingRule,
  step,
  wholeAllowance,
  type Allowance,
  type Moved,
  type SmoothingRule,
} from "../../src/core/smoothing.ts";
import { micros } from "../../src/core/units.ts";

const PER = 1000;
const rule = (threshold: number, rate: number, by: number, trigger: number, delay = 5000) =>
  smoothingRule(limitOf(rate, 1, { threshold, step: by, trigger, delayUs: micros(delay) }))!;

// The document's example: threshold 20, rate 60, step 10, trigger 0.5.
const RULE = rule(20, 60, 10, 0.5);
const at = (value: number, holdUntilUs: number, lastUs: number): Allowance => ({
  value: Math.round(value * 1_000_000),
  holdUntilUs,
  lastUs,
});
const standing = (allowance: Allowance): Moved & { readonly cut: boolean } => ({
  allowance,
  changes: [],
  cut: false,
});
const none = (_afterUs: number, _untilUs: number): number => 0;
const valueOf = ({ allowance }: Moved): number => allowance.value / 1_000_000;
const eventsOf = ({ changes }: Moved): readonly string[] =>
  changes.map(
    ({ event, atUs, allowance }) =>
      `${event.slice("RateLimitSmoothing".length)} ${allowance} at ${atUs}`,
  );

describe("one step, once the hold-off has ended (SMO-3, SMO-4, SMO-C1, SMO-C2)", () => {
  test.each([
    // A rises when r is above A - 5, falls when it is below A - 15.
    [30, 26, 40],
    [30, 25, 30],
    [30, 15, 30],
    [30, 14, 20],
    [20, 0, 20], // never below the threshold
    [60, 99, 60], // never above the rate
    [55, 51, 60], // the last step is cut (SMO-C3)
    [25, 1, 20],
  ])("A %d under %d attempts becomes %d", (before, r, after) => {
    expect(valueOf(step(RULE, standing(at(before, 100, 0)), r, micros(100)))).toBe(after);
  });

  test("is not taken a microsecond before", () => {
    expect(valueOf(step(RULE, standing(at(30, 101, 0)), 99, micros(100)))).toBe(30);
  });

  test("is told once, and begins a new hold-off", () => {
    const moved = step(RULE, standing(at(30, 100, 0)), 40, micros(200));
    expect(eventsOf(moved)).toEqual(["Up 40 at 200"]);
    expect(moved.allowance.holdUntilUs).toBe(5200);
    const fallen = step(RULE, standing(at(40, 100, 0)), 1, micros(200));
    expect(eventsOf(fallen)).toEqual(["Down 30 at 200"]);
  });

  test("that changes nothing is no step: no event, no new hold-off (SMO-C3)", () => {
    const before = standing(at(60, 100, 0));
    expect(step(RULE, before, 99, micros(200))).toBe(before);
  });

  test("is none on top of a cut (MGT-C5)", () => {
    const cut = { ...standing(at(60, 0, 0)), cut: true };
    expect(step(RULE, cut, 0, micros(200))).toBe(cut);
  });

  test("goes by exact decimals: 0.1 * 3 is 0.3", () => {
    const fine = rule(1, 2, 0.1, 2); // rises above A - 0.2, falls below A - 0.3
    expect(valueOf(step(fine, standing(at(1.3, 0, 0)), 1, micros(0)))).toBe(1.3);
    expect(valueOf(step(fine, standing(at(1.300001, 0, 0)), 1, micros(0)))).toBe(1.200001);
    expect(valueOf(step(fine, standing(at(1.2, 0, 0)), 1, micros(0)))).toBe(1.2);
    expect(valueOf(step(fine, standing(at(1.199999, 0, 0)), 1, micros(0)))).toBe(1.299999);
  });

  test("goes by exact decimals also where step times trigger has twelve of them", () => {
    const fine = rule(1, 2, 0.000001, 0.5); // rises above A - 0.0000005: at A, and not a millionth below
    expect(valueOf(step(fine, standing(at(1, 0, 0)), 1, micros(0)))).toBe(1.000001);
    expect(valueOf(step(fine, standing(at(1.000001, 0, 0)), 1, micros(0)))).toBe(1.000001);
  });
});

describe("what happened while nobody called (SMO-C6)", () => {
  const settled = (kept: Allowance | null, nowUs: number, attempts = none, by = RULE) =>
    settle(by, kept, attempts, PER, micros(nowUs));

  test("a new budget starts at its threshold, in a hold-off (SMO-1, SMO-C1)", () => {
    expect(settled(null, 70)).toMatchObject({
      allowance: at(20, 5070, 70),
      changes: [],
      cut: false,
    });
  });

  test("A falls at the end of each hold-off, and each fall carries its own time", () => {
    const moved = settled(at(50, 4000, 100), 14_000);
    expect(eventsOf(moved)).toEqual(["Down 40 at 4000", "Down 30 at 9000", "Down 20 at 14000"]);
    expect(moved.allowance.holdUntilUs).toBe(19_000);
  });

  test("no further than to a hold-off that still runs", () => {
    expect(eventsOf(settled(at(50, 4000, 100), 8_999))).toEqual(["Down 40 at 4000"]);
  });

  test("and not where the attempts before that moment were enough", () => {
    const counted: (readonly [number, number])[] = [];
    const many = (afterUs: number, untilUs: number): number => {
      counted.push([afterUs, untilUs]);
      return 35;
    };
    expect(eventsOf(settled(at(50, 4000, 3900), 99_000, many))).toEqual([]);
    expect(counted).toEqual([[3000, 4000]]); // of the window before it
  });

  test("a hold-off that ended before the last attempt was looked at then", () => {
    expect(eventsOf(settled(at(50, 4000, 4000), 99_000))).toEqual([]);
  });

  test.each([
    [9_999, 4000], // less than twice the delay
    [10_000, 15_000],
  ])(
    "at %d us, after nothing since 0, the hold-off of the threshold ends at %d",
    (nowUs, holdUntilUs) => {
      expect(settled(at(20, 4000, 0), nowUs).allowance.holdUntilUs).toBe(holdUntilUs);
    },
  );

  test("a window longer than two delays decides when the record ends", () => {
    const long = rule(20, 60, 10, 0.5, 100);
    expect(settled(at(20, 100, 0), 999, none, long).allowance.holdUntilUs).toBe(100);
    expect(settled(at(20, 100, 0), 1000, none, long).allowance.holdUntilUs).toBe(1100);
  });
});

describe("an allowance outside bounds that a configuration has moved (MGT-C5)", () => {
  test.each<[string, SmoothingRule, number, string]>([
    ["above a lower rate", rule(10, 30, 10, 0.5), 60, "Down 30 at 200"],
    ["below a higher threshold", rule(40, 60, 10, 0.5), 30, "Up 40 at 200"],
  ])("%s is cut at once, told, and rests", (_, next, value, told) => {
    const moved = settle(next, at(value, 9_999, 100), none, PER, micros(200));
    expect(eventsOf(moved)).toEqual([told]);
    expect(moved).toMatchObject({ cut: true, allowance: { holdUntilUs: 5200 } });
  });
});

describe("what follows from an allowance", () => {
  test.each([
    [20, 30],
    [55, 60],
    [60, 60],
  ])("one step above %d is %d", (value, next) => {
    expect(nextAllowance(RULE, at(value, 0, 0))).toBe(next * 1_000_000);
  });

  test("admits its whole part", () => {
    expect([0, 999_999, 1_000_000, 2_500_000].map(wholeAllowance)).toEqual([0, 0, 1, 2]);
  });

  test("is forgotten at the threshold alone, and late enough", () => {
    expect(forgettableUs(RULE, at(20, 4000, 700), PER)).toBe(10_700);
    expect(forgettableUs(RULE, at(20, 4000, 700), 99_000)).toBe(99_700);
    expect(forgettableUs(RULE, at(20.000001, 4000, 700), PER)).toBe(Number.POSITIVE_INFINITY);
  });

  test("is none where the limit is not smoothed (SMO-8)", () => {
    expect(smoothingRule(limitOf(5, 1))).toBeNull();
  });
});
