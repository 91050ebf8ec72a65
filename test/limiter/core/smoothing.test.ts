import { describe, expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import {
  afterAttempt,
  nextAllowance,
  settle,
  smoothingRule,
  valueBeforeFalls,
  step,
  wholeAllowance,
  type AllowanceRecord,
  type AllowanceUpdate,
  type SmoothingRule,
} from "#src/limiter/core/smoothing.ts";
import { micros } from "#src/kit/units.ts";

const PER = 1000;
const rule = (threshold: number, rate: number, by: number, trigger: number, delay = 5000) =>
  smoothingRule(limitOf(rate, 1, { threshold, step: by, trigger, delayUs: micros(delay) }))!;

// The document's example: threshold 20, rate 60, step 10, trigger 0.5.
const RULE = rule(20, 60, 10, 0.5);
const at = (
  value: number,
  holdUntilUs: number,
  lastUs: number,
  absentFromUs = Number.POSITIVE_INFINITY,
): AllowanceRecord => ({
  value: Math.round(value * 1_000_000),
  holdUntilUs,
  lastUs,
  absentFromUs,
});
const uncut = (allowance: AllowanceRecord): AllowanceUpdate & { readonly isCut: boolean } => ({
  allowance,
  changes: [],
  isCut: false,
});
/** The k-th newest of these attempts, which are given oldest first. */
const logOf =
  (...stampsUs: readonly number[]) =>
  (k: number): number =>
    stampsUs.at(-k) ?? Number.NEGATIVE_INFINITY;
const none = logOf();
const valueOf = ({ allowance }: AllowanceUpdate): number => allowance.value / 1_000_000;
const eventsOf = ({ changes }: AllowanceUpdate): readonly string[] =>
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
    expect(valueOf(step(RULE, uncut(at(before, 100, 0)), r, micros(100)))).toBe(after);
  });

  test("is not taken a microsecond before", () => {
    expect(valueOf(step(RULE, uncut(at(30, 101, 0)), 99, micros(100)))).toBe(30);
  });

  test("is one event, and begins a new hold-off", () => {
    const moved = step(RULE, uncut(at(30, 100, 0)), 40, micros(200));
    expect(eventsOf(moved)).toEqual(["Up 40 at 200"]);
    expect(moved.allowance.holdUntilUs).toBe(5200);
    const fallen = step(RULE, uncut(at(40, 100, 0)), 1, micros(200));
    expect(eventsOf(fallen)).toEqual(["Down 30 at 200"]);
  });

  test("that changes nothing is no step: no event, no new hold-off (SMO-C3)", () => {
    const before = uncut(at(60, 100, 0));
    expect(step(RULE, before, 99, micros(200))).toBe(before);
  });

  test("is none on top of a cut (MGT-C5)", () => {
    const cut = { ...uncut(at(60, 0, 0)), isCut: true };
    expect(step(RULE, cut, 0, micros(200))).toBe(cut);
  });

  test("goes by exact decimals: 0.1 * 3 is 0.3", () => {
    const fine = rule(1, 2, 0.1, 2); // rises above A - 0.2, falls below A - 0.3
    expect(valueOf(step(fine, uncut(at(1.3, 0, 0)), 1, micros(0)))).toBe(1.3);
    expect(valueOf(step(fine, uncut(at(1.300001, 0, 0)), 1, micros(0)))).toBe(1.200001);
    expect(valueOf(step(fine, uncut(at(1.2, 0, 0)), 1, micros(0)))).toBe(1.2);
    expect(valueOf(step(fine, uncut(at(1.199999, 0, 0)), 1, micros(0)))).toBe(1.299999);
  });

  test("goes by exact decimals also where step times trigger has twelve of them", () => {
    const fine = rule(1, 2, 0.000001, 0.5); // rises above A - 0.0000005: at A, and not a millionth below
    expect(valueOf(step(fine, uncut(at(1, 0, 0)), 1, micros(0)))).toBe(1.000001);
    expect(valueOf(step(fine, uncut(at(1.000001, 0, 0)), 1, micros(0)))).toBe(1.000001);
  });
});

const settleAt = (
  stored: AllowanceRecord | null,
  nowUs: number,
  newest: (k: number) => number = none,
  by = RULE,
) => settle(by, stored, newest, PER, micros(nowUs));

describe("falls that no request carried (SMO-4, SMO-C6)", () => {
  test("A falls at the end of each hold-off, and each fall carries its own time", () => {
    const moved = settleAt(at(50, 4000, 100), 14_001);
    expect(eventsOf(moved)).toEqual(["Down 40 at 4000", "Down 30 at 9000", "Down 20 at 14000"]);
    expect(moved.allowance.holdUntilUs).toBe(19_001); // idle since 100 us, so begun anew
  });

  test.each([
    [3_999, []],
    [4_000, []], // a request at that instant looks itself
    [4_001, ["Down 40 at 4000"]],
  ])("a request at %d us finds the falls that were due before it: %j", (nowUs, events) => {
    expect(eventsOf(settleAt(at(50, 4000, 100), nowUs))).toEqual(events);
  });

  test.each([
    [3_998, "Down 40 at 4000"],
    [3_999, "Down 40 at 4000"],
    [4_000, "Down 40 at 4001"],
    [4_001, "Down 40 at 4002"],
  ])("after a last attempt at %d us the first fall is %s", (lastUs, event) => {
    expect(eventsOf(settleAt(at(50, 4000, lastUs), 8_000, logOf(lastUs)))[0]).toBe(event);
  });

  test.each([
    [33, 4000], // with the look 34, which is below 35
    [34, 4900], // 35 is not, until the oldest has left
  ])("with %d attempts in the window of the hold-off's end A falls at %d us", (count, dueUs) => {
    const stamps = Array.from({ length: count }, (_, i) => (i === 0 ? 3900 : 3950));
    expect(eventsOf(settleAt(at(50, 4000, 3950), 6000, logOf(...stamps)))).toEqual([
      `Down 40 at ${dueUs}`,
    ]);
  });

  test("after a spike that lasted beyond the hold-off A falls as soon as the rate allows it", () => {
    const spike = Array.from({ length: 60 }, (_, i) => 8000 + i * 15); // the last at 8885
    // A falls below 45: with the look, as soon as 43 attempts are left, when that of 8240 leaves the window.
    expect(eventsOf(settleAt(at(60, 4000, 8885), 10_000, logOf(...spike)))).toEqual([
      "Down 50 at 9240",
    ]);
  });

  test("an empty window is below every bound, also where the bound is not above 0", () => {
    const wide = rule(1, 5, 3, 0.1, 10_000); // A of 4 falls below 0.7
    expect(eventsOf(settleAt(at(4, 2000, 1500), 2500, logOf(1500), wide))).toEqual([]);
    expect(eventsOf(settleAt(at(4, 2000, 1500), 2501, logOf(1500), wide))).toEqual([
      "Down 1 at 2500",
    ]);
  });

  test("attempts that were decided without smoothing put the falls off too", () => {
    expect(eventsOf(settleAt(at(50, 4000, 100), 8000, logOf(6000)))).toEqual(["Down 40 at 6001"]);
  });

  test("falls start from the rate where A is above it, and the cut is part of the first", () => {
    const lower = rule(20, 45, 10, 0.5);
    expect(eventsOf(settleAt(at(60, 4000, 100), 8000, none, lower))).toEqual(["Down 35 at 4000"]);
    expect(eventsOf(settleAt(at(60, 4000, 100), 4000, none, lower))).toEqual(["Down 45 at 4000"]);
  });
});

describe("a record that counts as absent (SMO-C6)", () => {
  test("a new budget starts at its threshold, in a hold-off (SMO-1, SMO-C1)", () => {
    expect(settleAt(null, 70)).toMatchObject({
      allowance: at(20, 5070, 70),
      changes: [],
      isCut: false,
    });
  });

  test.each([
    [9_999, 4000],
    [10_000, 15_000],
  ])(
    "at %d us, after nothing since 0, the hold-off of the threshold ends at %d",
    (nowUs, holdUntilUs) => {
      const stored = afterAttempt(RULE, at(20, 4000, 0), PER, micros(0)); // less than twice the delay
      expect(settleAt(stored, nowUs).allowance.holdUntilUs).toBe(holdUntilUs);
    },
  );

  test("the rule of the last attempt determines when, not the present one", () => {
    const stored = afterAttempt(RULE, at(20, 4000, 0), PER, micros(0));
    const other = rule(15, 60, 10, 0.5, 50_000);
    expect(eventsOf(settleAt(stored, 9_999, none, other))).toEqual(["Down 15 at 4000"]);
    expect(settleAt(stored, 10_000, none, other)).toMatchObject({
      allowance: at(15, 60_000, 10_000),
      changes: [],
    });
  });

  test("falls that end at the threshold end the record too, by the rule that made them up", () => {
    expect(settleAt(at(30, 4000, 100), 10_100)).toMatchObject({
      allowance: at(20, 15_100, 10_100),
      changes: [{ atUs: 4000 }],
    });
    expect(settleAt(at(30, 4000, 100), 10_099).allowance.holdUntilUs).toBe(9000);
  });

  test.each([
    [20, 10_700],
    [20.000001, Number.POSITIVE_INFINITY], // its falls are still to be made up
  ])("an attempt at 700 us that leaves A at %d: from %d us", (value, absentFromUs) => {
    expect(afterAttempt(RULE, at(value, 0, 300), PER, micros(700))).toEqual(
      at(value, 0, 700, absentFromUs),
    );
  });

  test("a window longer than two delays decides, and the clock that is ahead", () => {
    expect(afterAttempt(RULE, at(20, 0, 900), 99_000, micros(700))).toEqual(at(20, 0, 900, 99_900));
  });
});

describe("an allowance outside bounds that a configuration has moved (MGT-C5)", () => {
  test.each<[string, SmoothingRule, number, string]>([
    ["above a lower rate", rule(10, 30, 10, 0.5), 60, "Down 30 at 200"],
    ["below a higher threshold", rule(40, 60, 10, 0.5), 30, "Up 40 at 200"],
  ])("%s is cut at once, with an event and a hold-off", (_, next, value, event) => {
    const moved = settle(next, at(value, 9_999, 100), none, PER, micros(200));
    expect(eventsOf(moved)).toEqual([event]);
    expect(moved).toMatchObject({ isCut: true, allowance: { holdUntilUs: 5200 } });
  });

  test.each([
    [undefined, 20],
    [at(70, 0, 0), 60],
    [at(10, 0, 0), 20],
    [at(45, 0, 0), 45],
    [at(45, 0, 0, 100), 20], // absent at that instant
    [at(45, 0, 0, 101), 45],
  ])("%j has the value %d", (stored, value) => {
    expect(valueBeforeFalls(RULE, stored, micros(100))).toBe(value * 1_000_000);
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

  test("is none where the limit is not smoothed (SMO-8)", () => {
    expect(smoothingRule(limitOf(5, 1))).toBeNull();
  });
});
