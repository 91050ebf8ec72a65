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

/** By whole numbers, which lose nothing: 20 times the cases outside are at most all cases. */
function countOutside(count: number): number {
  let [left, cases, outside] = [0, 1n, 2n];
  for (; outside * 20n <= 2n ** BigInt(count); left++) {
    cases = (cases * BigInt(count - left)) / BigInt(left + 1);
    outside += 2n * cases;
  }
  return left - 1;
}

test("1 to 5,000 values have the range that exact counts have", () => {
  for (let count = 1; count <= 5_000; count += count < 120 || count === 1_079 ? 1 : 137) {
    const values = Array.from({ length: count }, (_, at) => at);
    const left = countOutside(count);
    expect(medianRange(values), `${count} values`).toEqual(
      left < 0 ? null : { low: left, high: count - 1 - left },
    );
  }
  for (let count = 1; count <= 5_000; count++)
    expect(medianRange(Array.from({ length: count }, () => 1)) === null).toBe(count < 6);
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
