import { expect, test } from "vitest";
import {
  differencesFrom,
  estimateChange,
  flipQuantile,
  signFlipP,
} from "#src/kit/stats/sign-flip.ts";
import { rng } from "#src/kit/chance/rng.ts";

const random = () => rng(1, "sign-flip");

test("with few pairs every way to flip them counts", () => {
  // Of 3, 2 and 1 only two of eight ways, with equal signs, are 6 from zero.
  expect(signFlipP([3, 2, 1], random())).toBe(2 / 8);
  // 3 + 2 - 1 = 4, and so is -3 - 2 + 1; further are the two of 6.
  expect(signFlipP([3, 2, -1], random())).toBe(4 / 8);
  expect(signFlipP([1, -1], random())).toBe(1);
  expect(signFlipP([0, 0, 0], random())).toBe(1);
});

test("with more pairs ways are drawn, and p is about the same and never 0", () => {
  const { normal } = rng(2, "pairs");
  const differences = Array.from({ length: 14 }, () => normal() + 0.6);
  const exact = signFlipP(differences, random());
  const drawn = signFlipP(differences, random(), { exact: 1, sampled: 20_000 });
  expect(drawn).toBeGreaterThan(0.8 * exact);
  expect(drawn).toBeLessThan(1.2 * exact);
  const all = Array.from({ length: 40 }, () => 1);
  expect(signFlipP(all, random(), { exact: 1, sampled: 999 })).toBe(1 / 999);
});

test("sums that differ only by the order in which they are added are as far", () => {
  // 0.1 + 0.2 - 0.3 is not 0 in binary, whichever way it is added.
  const differences = [0.1, 0.2, 0.3, -0.6];
  expect(signFlipP(differences, random())).toBe(1);
});

test("flipQuantile is the distance within which that share of all ways is", () => {
  // Means of all four: 3, 2, 1, 0.
  expect(flipQuantile([1.5, 1, 0.5], 0.5, random())).toBeCloseTo(2 / 6, 10);
  expect(flipQuantile([1.5, 1, 0.5], 1, random())).toBeCloseTo(1, 10);
});

test("differences are cut off by size alone, so flipping one sign changes no other", () => {
  const pairs = [
    [0.1, 0.1],
    [0.1, -0.1],
    [0.2, 0.2],
    [9, 0.1],
    [-0.1, -0.1],
  ];
  const before = differencesFrom(pairs, 0);
  // The middle size of a round is 0.1, so the repeat of 9 counts as 0.25; of pairs it is 0.1, which leaves all as they are.
  expect(before).toEqual([0.1, 0, 0.2, 0.175, -0.1].map((value) => expect.closeTo(value, 10)));
  const flipped = pairs.map((rounds, at) => (at === 2 ? rounds.map((value) => -value) : rounds));
  expect(differencesFrom(flipped, 0)).toEqual(
    before.map((value, at) => (at === 2 ? -value : value)),
  );
});

test("the estimate is the change from which the mean difference is zero", () => {
  const { normal } = rng(3, "pairs");
  const pairs = Array.from({ length: 20 }, (_, at) => [
    Math.log(1.1) + 0.01 * normal(),
    Math.log(1.1) + (at === 3 ? 2 : 0.01 * normal()),
  ]);
  const change = estimateChange(pairs);
  expect(Math.exp(change)).toBeGreaterThan(1.09);
  expect(Math.exp(change)).toBeLessThan(1.11);
  const left = differencesFrom(pairs, change).reduce((sum, one) => sum + one, 0);
  expect(left).toBeCloseTo(0, 6);
});
