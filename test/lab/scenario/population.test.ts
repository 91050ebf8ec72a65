// The draws of a population have the stated distribution: rates of clients by rank, and gaps by family and variation.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { GAP_FAMILIES, gapsOf, type GapFamily } from "#src/kit/chance/gaps.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";
import { planHerd, planPopulation } from "#src/lab/scenario/plan/population.ts";
import type { TrafficShape } from "#src/lab/scenario/types.ts";
import { holds } from "../../runs.ts";

type PopulationShape = Extract<TrafficShape, { kind: "population" }>;

const DRAWS = 100_000;

const mean = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: Float64Array): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

const anyFamily = fc.constantFrom<GapFamily>(...GAP_FAMILIES);

test("gaps have a mean of 1 and the coefficient of variation that is written", () => {
  holds(
    fc.property(
      anyFamily,
      fc.double({ min: 0.1, max: 2, noNaN: true }),
      fc.nat(),
      (family, cv, seed) => {
        const gaps = gapsOf(family, cv);
        const random = rng(seed, "gaps");
        const drawn = Float64Array.from({ length: DRAWS }, () => gaps.next(random));
        expect(Math.abs(mean(drawn) - 1)).toBeLessThan((6 * cv) / Math.sqrt(DRAWS));
        // The fourth moment of a long tail makes the deviation of a deviation several times that of a normal variable.
        expect(Math.abs(deviation(drawn) / cv - 1)).toBeLessThan(0.08);
      },
    ),
    20,
  );
});

test("a variation of 1 is that of independent requests: gaps are exponential", () => {
  for (const family of GAP_FAMILIES) {
    const gaps = gapsOf(family, 1);
    const random = rng(1, family);
    const drawn = Float64Array.from({ length: DRAWS }, () => gaps.next(random)).toSorted();
    // The largest distance of Kolmogorov and Smirnov; 1.95 is passed by one in a thousand samples.
    let farthest = 0;
    for (const [at, value] of drawn.entries())
      farthest = Math.max(farthest, Math.abs(1 - Math.exp(-value) - at / DRAWS));
    expect(farthest * Math.sqrt(DRAWS)).toBeLessThan(1.95);
  }
});

const planDraws = (family: GapFamily, cv: number, skew: number, seed: number, clients = 200) =>
  planPopulation(
    { kind: "population", rate: 200, forUs: micros(100_000_000), gaps: family, cv },
    clients,
    skew,
    rng(seed, "traffic"),
  );

test("a population has its rate from the first second on, however large the variation", () => {
  for (const family of GAP_FAMILIES) {
    const { atUs } = planDraws(family, 3, 0, 4, 2_000);
    const firstTenth = atUs.filter((us) => us < 10_000_000).length;
    // Ordinary gaps from the start would have 1.8 times as many there.
    expect(firstTenth / 2_000).toBeGreaterThan(0.75);
    expect(firstTenth / 2_000).toBeLessThan(1.25);
    expect(Math.abs(atUs.length / 20_000 - 1)).toBeLessThan(0.1);
    expect(atUs).toEqual(atUs.toSorted());
  }
});

test("with a skew, the rates of clients fall as their rank to that power", () => {
  holds(
    fc.property(
      anyFamily,
      fc.double({ min: 0.2, max: 1.5, noNaN: true }),
      fc.nat(),
      (family, skew, seed) => {
        const { client } = planDraws(family, 1, skew, seed, 20);
        const counts = Array.from(
          { length: 20 },
          (_, of) => client.filter((each) => each === of).length,
        );
        const sum = counts.reduce((total, _, of) => total + (of + 1) ** -skew, 0);
        for (const [of, count] of counts.entries()) {
          const expected = (20_000 * (of + 1) ** -skew) / sum;
          expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
        }
      },
    ),
    20,
  );
});

test("a client has the same requests, however many others there are with the same rate", () => {
  const timesOf = (clients: number, rate: number): readonly number[] => {
    const shape = { kind: "population", rate, forUs: micros(1e7), gaps: "gamma", cv: 2 } as const;
    const { atUs, client } = planPopulation(shape, clients, 0, rng(3, "traffic"));
    return Array.from(atUs.filter((_, row) => client[row] === 1));
  };
  expect(timesOf(2, 10)).toEqual(timesOf(8, 40));
  expect(timesOf(2, 10).length).toBeGreaterThan(10);
});

test("rates that are drawn add up to the rate of the population, and few clients send most", () => {
  const shape = {
    kind: "population",
    rate: 400,
    forUs: micros(1e8),
    gaps: "gamma",
    cv: 1,
  } as const;
  const largestOf = (rates: NonNullable<PopulationShape["rates"]>): number => {
    const { client } = planPopulation({ ...shape, rates }, 100, 0, rng(5, "traffic"));
    expect(Math.abs(client.length / 40_000 - 1)).toBeLessThan(0.03);
    const counts = new Uint32Array(100);
    for (const each of client) counts[each]!++;
    return Math.max(...counts) / client.length;
  };
  expect(largestOf({ kind: "pareto", index: 1.2 })).toBeGreaterThan(0.1);
  expect(largestOf({ kind: "pareto", index: 100 })).toBeLessThan(0.02);
  expect(largestOf({ kind: "lognormal", sigma: 1.5 })).toBeGreaterThan(0.05);
  expect(largestOf({ kind: "lognormal", sigma: 0.01 })).toBeLessThan(0.02);
});

test("a herd is late by a time below its jitter, drawn evenly and anew each time", () => {
  const herd = {
    kind: "cron",
    everyUs: micros(60_000_000),
    offsetUs: micros(0),
    jitterUs: micros(5_000_000),
    count: 2,
    forUs: micros(600_000_000),
  } as const;
  const { atUs, client } = planHerd(herd, 500, rng(2, "traffic"));
  expect(atUs).toHaveLength(10 * 500 * 2);
  expect(atUs).toEqual(atUs.toSorted());
  const late = atUs.map((us) => us % 60_000_000).toSorted();
  expect(late.at(-1)).toBeLessThan(5_000_000);
  const farthest = late.reduce(
    (most, us, at) => Math.max(most, Math.abs(us / 5_000_000 - at / late.length)),
    0,
  );
  expect(farthest * Math.sqrt(late.length / 2)).toBeLessThan(1.95); // two requests have one lateness
  const ofFirst = new Set(
    [...atUs].filter((_, row) => client[row] === 0).map((us) => us % 60_000_000),
  );
  expect(ofFirst.size).toBe(10);
  expect(new Set(planHerd({ ...herd, jitterUs: micros(0) }, 3, rng(2, "t")).atUs)).toEqual(
    new Set(Array.from({ length: 10 }, (_, minute) => minute * 60_000_000)),
  );
});

test("each client of a herd with an offset sends at times of its own, drawn evenly and once", () => {
  const herd = {
    kind: "cron",
    everyUs: micros(60_000_000),
    offsetUs: micros(60_000_000),
    jitterUs: micros(0),
    count: 1,
    forUs: micros(600_000_000),
  } as const;
  const { atUs, client } = planHerd(herd, 500, rng(2, "traffic"));
  expect(atUs).toHaveLength(10 * 500);
  const offsets = Array.from(
    { length: 500 },
    (_, each) =>
      new Set(atUs.filter((_us, row) => client[row] === each).map((us) => us % 60_000_000)),
  );
  expect(new Set(offsets.map(({ size }) => size))).toEqual(new Set([1]));
  const sorted = offsets.flatMap((each) => [...each]).toSorted((a, b) => a - b);
  const farthest = Math.max(...sorted.map((us, at) => Math.abs(us / 60_000_000 - at / 500)));
  expect(farthest * Math.sqrt(500)).toBeLessThan(1.95);
});
