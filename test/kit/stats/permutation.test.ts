import { expect, test } from "vitest";
import { pValue } from "#src/kit/stats/permutation.ts";
import { rng } from "#src/kit/chance/rng.ts";

const PERMUTATIONS = 10_000;
const random = rng(1, "permutation");

/** By trying every way to mix the repeats up. */
function exactly(base: readonly number[], head: readonly number[]): number {
  const all = [...base, ...head];
  const rank = (value: number): number =>
    all.filter((other) => other < value).length +
    (all.filter((other) => other === value).length + 1) / 2;
  const ranks = all.map(rank);
  const total = ranks.reduce((sum, one) => sum + one, 0);
  const apart = (sum: number): number => Math.abs(sum * head.length - (total - sum) * base.length);
  const measured = apart(ranks.slice(0, base.length).reduce((sum, one) => sum + one, 0));
  let ways = 0;
  let asFar = 0;
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      ways++;
      if (apart(sum) >= measured) asFar++;
      return;
    }
    for (let at = from; at <= ranks.length - left; at++) choose(at + 1, left - 1, sum + ranks[at]!);
  };
  choose(0, base.length, 0);
  return asFar / ways;
}

test.each([
  // Completely apart: 2 of the 252 ways to take 5 of 10.
  { base: [1, 2, 3, 4, 5], head: [6, 7, 8, 9, 10], p: 2 / 252 },
  { base: [6, 7, 8, 9, 10], head: [1, 2, 3, 4, 5], p: 2 / 252 },
  // One repeat that the machine disturbed changes nothing.
  { base: [1, 2, 3, 4, 5], head: [6, 7, 8, 9, 10_000], p: 2 / 252 },
  { base: [7, 7, 7], head: [7, 7, 7, 7], p: 1 },
  // Three against three cannot come below 0.1, however far apart.
  { base: [1, 1.01, 1.02], head: [900, 901, 902], p: 0.1 },
])("$base and $head are as far apart by chance in $p of all orders", ({ base, head, p }) => {
  expect(exactly(base, head)).toBeCloseTo(p, 10);
  expect(Math.abs(pValue(base, head, PERMUTATIONS, random) - p)).toBeLessThan(0.015);
});

test.each([
  { base: 4, head: 7, step: 0.01 },
  { base: 6, head: 5, step: 1 }, // many ties
  { base: 3, head: 9, step: 0.5 },
])("$base and $head repeats in steps of $step agree with all orders", ({ base, head, step }) => {
  const draw = rng(base, "values");
  for (let i = 0; i < 5; i++) {
    const value = (): number => Math.round((5 + draw.normal()) / step) * step;
    const one = Array.from({ length: base }, value);
    const other = Array.from({ length: head }, value);
    const p = pValue(one, other, PERMUTATIONS, random);
    expect(Math.abs(p - exactly(one, other))).toBeLessThan(0.025);
  }
});

test("no sample of orders gives a p-value of zero", () => {
  const low = Array.from({ length: 20 }, (_, i) => i);
  const high = low.map((value) => value + 100);
  expect(pValue(low, high, PERMUTATIONS, random)).toBeCloseTo(1 / (PERMUTATIONS + 1), 10);
});
