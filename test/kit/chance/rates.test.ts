// Rates that are drawn have the stated distribution: by Kolmogorov and Smirnov, and by the index of their tail.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawRate, type RateSpread } from "#src/kit/chance/rates.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { holds } from "../../runs.ts";

const DRAWS = 20_000;

const drawRates = (spread: RateSpread, seed: number): Float64Array => {
  const random = rng(seed, "rates");
  return Float64Array.from({ length: DRAWS }, (_, client) =>
    drawRate(spread, client, random),
  ).toSorted();
};

/** Times the root of the number of samples; 1.95 is passed by one in a thousand samples, and 2.6 by one in a million. */
const distance = (sorted: Float64Array, share: (value: number) => number): number =>
  sorted.reduce((most, value, at) => Math.max(most, Math.abs(share(value) - at / DRAWS)), 0) *
  Math.sqrt(DRAWS);

test("Pareto rates have the tail index that is written, and its mean", () => {
  holds(
    fc.property(fc.double({ min: 0.5, max: 8, noNaN: true }), fc.nat(), (index, seed) => {
      const rates = drawRates({ kind: "pareto", index }, seed);
      expect(rates[0]).toBeGreaterThanOrEqual(1);
      expect(distance(rates, (rate) => 1 - rate ** -index)).toBeLessThan(2.6);
      // Hill's estimate from the largest tenth: its deviation is the index over the root of their number.
      const tail = rates.subarray(DRAWS * 0.9);
      const hill = tail.length / tail.reduce((sum, rate) => sum + Math.log(rate / tail[0]!), 0);
      expect(Math.abs(hill / index - 1)).toBeLessThan(5.5 / Math.sqrt(tail.length));
      if (index < 4) return; // below, the fourth moment is infinite
      const mean = rates.reduce((sum, rate) => sum + rate, 0) / DRAWS;
      expect(mean / (index / (index - 1))).toBeCloseTo(1, 1);
    }),
    20,
  );
});

test("the logarithm of lognormal rates has the deviation that is written, and a median of 1", () => {
  holds(
    fc.property(fc.double({ min: 0.05, max: 4, noNaN: true }), fc.nat(), (sigma, seed) => {
      const logs = drawRates({ kind: "lognormal", sigma }, seed).map(Math.log);
      const mean = logs.reduce((sum, log) => sum + log, 0) / DRAWS;
      const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / DRAWS;
      expect(Math.abs(mean / sigma)).toBeLessThan(5.5 / Math.sqrt(DRAWS));
      expect(Math.abs(Math.sqrt(variance) / sigma - 1)).toBeLessThan(5.5 / Math.sqrt(2 * DRAWS));
      // The share within one deviation of a normal variable, and within two.
      for (const [deviations, share] of [
        [1, 0.682_689],
        [2, 0.9545],
      ] as const) {
        const within = logs.filter((log) => Math.abs(log) <= deviations * sigma).length / DRAWS;
        expect(Math.abs(within - share)).toBeLessThan(0.018);
      }
    }),
    20,
  );
});
