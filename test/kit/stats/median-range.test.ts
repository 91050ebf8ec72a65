// The likely range of a median covers it as often as it states.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { medianRange } from "#src/kit/stats/median-range.ts";

test("fewer than six values have no range, and more leave out as many at both ends", () => {
  const upTo = (count: number): readonly number[] =>
    Array.from({ length: count }, (_, at) => ((at * 7) % count) + 1);
  expect(medianRange([])).toBeNull();
  expect(medianRange([1, 2, 3, 4, 5])).toBeNull();
  expect(medianRange(upTo(6))).toEqual({ low: 1, high: 6 });
  expect(medianRange(upTo(8))).toEqual({ low: 1, high: 8 });
  expect(medianRange(upTo(9))).toEqual({ low: 2, high: 8 });
  expect(medianRange(upTo(10))).toEqual({ low: 2, high: 9 });
});

test.each([6, 10, 23])("of %i values it misses the median in at most 5 of 100 cases", (count) => {
  const { next } = rng(1, `median-range/${count}`);
  const runs = 4_000;
  const missed = Array.from({ length: runs }).filter(() => {
    const { low, high } = medianRange(Array.from({ length: count }, () => next() ** 3))!;
    return low > 0.125 || high < 0.125;
  }).length;
  expect(missed / runs).toBeLessThan(0.055);
  expect(missed / runs).toBeGreaterThan(0.01);
});
