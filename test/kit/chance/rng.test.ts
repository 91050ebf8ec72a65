import { describe, expect, test } from "vitest";
import { sample, type Distribution } from "#src/kit/chance/distribution.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { micros } from "#src/kit/units.ts";

const DRAWS = 100_000;
const draws = (next: () => number): readonly number[] => Array.from({ length: DRAWS }, next);
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(part * numbers.length)] ?? Number.NaN;

describe("a stream", () => {
  test("depends on the seed and the name, and on nothing else", () => {
    const first = (seed: number, name: string): number => rng(seed, name).next();
    expect(first(1, "traffic/alice")).toBe(first(1, "traffic/alice"));
    expect(
      new Set([
        first(1, "traffic/alice"),
        first(2, "traffic/alice"),
        first(1, "traffic/bob"),
        first(12, "a"),
        first(1, "2/a"),
      ]).size,
    ).toBe(5);
  });

  test("that is split off does not care what was drawn before", () => {
    const used = rng(5, "fleet");
    used.next();
    expect(used.split("node/1").next()).toBe(rng(5, "fleet").split("node/1").next());
    expect(used.split("node/1").next()).not.toBe(used.split("node/2").next());
  });

  test("stays the same from version to version, because seeds are written down", () => {
    const { next } = rng(1, "pinned");
    expect([next(), next(), next()]).toMatchInlineSnapshot(`
      [
        0.9621393720153719,
        0.6302755489014089,
        0.6039512953720987,
      ]
    `);
  });
});

describe("numbers", () => {
  test("fill [0, 1) evenly", () => {
    const numbers = draws(rng(1, "even").next);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    for (const part of [0.01, 0.25, 0.5, 0.75, 0.99])
      expect(quantile(numbers, part)).toBeCloseTo(part, 2);
  });

  test("of an exponential have mean 1 and the right tails", () => {
    const numbers = draws(rng(1, "exponential").exponential);
    expect(mean(numbers)).toBeCloseTo(1, 1);
    for (const part of [0.1, 0.5, 0.9, 0.99])
      expect(quantile(numbers, part) / -Math.log(1 - part)).toBeCloseTo(1, 1);
    expect(numbers.every(Number.isFinite)).toBe(true);
  });

  test("of a normal have mean 0 and deviation 1", () => {
    const numbers = draws(rng(1, "normal").normal);
    expect(mean(numbers)).toBeCloseTo(0, 1);
    expect(Math.sqrt(mean(numbers.map((number) => number * number)))).toBeCloseTo(1, 1);
    expect(quantile(numbers, 0.975)).toBeCloseTo(1.96, 1);
  });

  test("that are whole are all met and never beyond", () => {
    const { int } = rng(1, "whole");
    expect([...new Set(draws(() => int(7)))].toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
    expect(draws(() => int(2 ** 40)).some((number) => number > 2 ** 33)).toBe(true);
  });

  test("that are whole take one draw, or two where one has too few digits", () => {
    const [stream, twin] = [rng(1, "digits"), rng(1, "digits")];
    for (const below of [7, 2 ** 32, 2 ** 40, 7, 2 ** 52]) {
      const digits = twin.next() + (below > 2 ** 32 ? twin.next() / 2 ** 32 : 0);
      expect(stream.int(below)).toBe(Math.floor(digits * below));
    }
  });

  test("of an exponential are of what is above 0, so that there is no infinite one", () => {
    const [stream, twin] = [rng(1, "above"), rng(1, "above")];
    for (let i = 0; i < 9; i++)
      expect(stream.exponential()).toBe(-Math.log(twin.next() + 1 / 2 ** 32));
  });
});

describe("a distribution", () => {
  test.each<[Distribution, median: number, p99: number]>([
    [{ kind: "constant", us: micros(20_000) }, 20_000, 20_000],
    [{ kind: "uniform", fromUs: micros(1_000), toUs: micros(5_000) }, 3_000, 4_960],
    [{ kind: "exponential", meanUs: micros(2_000) }, 2_000 * Math.LN2, 2_000 * Math.log(100)],
    [{ kind: "lognormal", medianUs: micros(1_000), p99Us: micros(10_000) }, 1_000, 10_000],
  ])("%j has its median and its 99th percentile", (distribution, median, p99) => {
    const stream = rng(3, "times");
    const times = draws(() => sample(distribution, stream));
    expect(quantile(times, 0.5) / median).toBeCloseTo(1, 1);
    expect(quantile(times, 0.99) / p99).toBeCloseTo(1, 1);
    expect(times.every((us) => Number.isInteger(us) && us >= 0)).toBe(true);
  });

  test("between two times meets both", () => {
    const stream = rng(3, "ends");
    const times = new Set(
      draws(() => sample({ kind: "uniform", fromUs: micros(1), toUs: micros(3) }, stream)),
    );
    expect([...times].toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });

  test("of a lognormal is above its median where the normal under it is above its mean", () => {
    const [times, normals] = [rng(3, "both"), rng(3, "both")];
    const distribution = {
      kind: "lognormal",
      medianUs: micros(1000),
      p99Us: micros(9000),
    } as const;
    for (let i = 0; i < 100; i++)
      expect(sample(distribution, times) > 1000).toBe(normals.normal() > 0);
  });

  test("that is constant draws nothing", () => {
    const stream = rng(3, "still");
    sample({ kind: "constant", us: micros(1) }, stream);
    expect(stream.next()).toBe(rng(3, "still").next());
  });
});
