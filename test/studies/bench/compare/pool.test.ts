// Whether the whole procedure keeps its promise: comparisons of repeats from one pool, whose difference is known.
import { median } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { WORTH_OF_A_PROCESS } from "#src/studies/bench/medians.ts";
import { compare } from "#src/studies/bench/compare/compare.ts";
import type { BenchComparison, CompareWord } from "#src/studies/bench/compare/comparison.ts";
import type { BenchRepeat } from "#src/studies/bench/result.ts";
import type { OwnControl, BenchMetricName } from "#src/studies/bench/suite.ts";
import { rng, type Rng } from "#src/kit/chance/rng.ts";
import { drawRun, drawTwo, partsOf, roundPools, type PoolParts } from "../against/pools.ts";
import { cellOf, gate, resultOf } from "../bench-results.ts";

const GATES = ["cpu", "throughput"] as const satisfies readonly BenchMetricName[];
const PAIRS = 200;
const REPEATS = 10; // of a full suite
const SLOWDOWN = 1.1;

type Pool = readonly BenchRepeat[];

/** Written by bench:pool: repeats of one load on several gateways, which follow each other in each round. */
const measured = roundPools().map(
  ([name, { cells }]) => [name, cells.flatMap(({ repeats }) => repeats)] as const,
);

/** Noise of a known size, sometimes with a repeat in which the machine was busy. */
function buildPool(noise: number): Pool {
  const random = rng(1, `pool/${noise}`);
  const one = (): number =>
    1 + noise * random.normal() + (random.next() < 0.05 ? 5 * noise * random.exponential() : 0);
  const values = (of: (cost: number) => number): readonly number[] =>
    Array.from({ length: 80 }, () => of(one()));
  return cellOf("base", {
    cpu: values((cost) => 50 * cost),
    throughput: values((cost) => 9_000 / cost),
  }).repeats;
}

const pools: readonly (readonly [name: string, pool: Pool])[] = [
  ["made, 1 % of noise", buildPool(0.01)],
  ["made, 4 % of noise", buildPool(0.04)],
  ["made, 8 % of noise", buildPool(0.08)],
  ...measured,
];

const slower = (repeat: BenchRepeat, times: number): BenchRepeat => ({
  ...repeat,
  metrics: {
    ...repeat.metrics,
    cpu: repeat.metrics["cpu"]! * times,
    throughput: repeat.metrics["throughput"]! / times,
  },
});

function drawRepeats(pool: Pool, count: number, { int }: Rng): readonly BenchRepeat[] {
  const left = [...pool];
  return Array.from({ length: count }, () => left.splice(int(left.length), 1)[0]!);
}

/** Two runs without a common repeat; the second one is slower by that factor. */
function comparisonOf(pool: Pool, times: number, random: Rng): BenchComparison {
  const repeats = drawRepeats(pool, 2 * REPEATS, random);
  const run = (of: readonly BenchRepeat[]): ReturnType<typeof resultOf> =>
    resultOf(
      [{ ...cellOf("base", { cpu: [1] }), repeats: of }],
      GATES.map((metric) => gate(metric)),
    );
  const head = repeats.slice(REPEATS).map((repeat) => slower(repeat, times));
  const question = { minEffect: 0.03, alpha: 0.05, seed: random.int(2 ** 31) };
  const few = { permutations: 600, resamples: 500 };
  return compare(run(repeats.slice(0, REPEATS)), run(head), question, [], {
    efforts: { gate: few, shown: few },
  });
}

const isAlarm = ({ verdict: { word } }: BenchComparison["gates"][number]): boolean =>
  word === "improved" || word === "regressed";

/** The number of comparisons in a hundred in which a gate raises an alarm. */
function alarmsOf(draws: number, draw: () => BenchComparison): number {
  const all = Array.from({ length: draws }, draw);
  return (100 * all.filter(({ gates }) => gates.some(isAlarm)).length) / draws;
}

/** The distance from 5 of 100 that this number of comparisons allows, twice the standard error. */
const FIVE_OR_SO = 5 + 200 * Math.sqrt((0.05 * 0.95) / PAIRS);

describe.each(pools)("of %s", (name, pool) => {
  test("no more than 5 of 100 comparisons find a difference between repeats from one pool", () => {
    const random = rng(1, `same/${name}`);
    expect(alarmsOf(PAIRS, () => comparisonOf(pool, 1, random))).toBeLessThan(FIVE_OR_SO);
  });

  test("a slowdown is never the same or improved, and one that is not found has the number of repeats it needs", () => {
    const random = rng(1, `slower/${name}`);
    const all = Array.from({ length: PAIRS }, () => comparisonOf(pool, SLOWDOWN, random).gates);
    for (const metric of GATES) {
      const verdicts = all.flatMap((gates) =>
        gates.filter((judged) => judged.metric === metric).map(({ verdict }) => verdict),
      );
      const share = (wanted: CompareWord): number =>
        verdicts.filter(({ word }) => word === wanted).length / PAIRS;
      expect(share("same")).toBe(0);
      // If the noise is larger than the change, chance may reverse it, but hardly ever.
      expect(share("improved")).toBeLessThanOrEqual(0.01);
      const unclear = verdicts.filter(({ word }) => word === "unclear");
      expect(unclear.filter(({ needed }) => needed === null || needed <= REPEATS)).toEqual([]);
      // The shares that a pool allows. No pool of real repeats is so quiet that two stored runs would show 10 %.
      const [least, most] = FOUND[name]!;
      expect(share("regressed")).toBeGreaterThanOrEqual(least);
      expect(share("regressed")).toBeLessThanOrEqual(most);
    }
  });
});

/** The share of slowdowns of 10 % that ten repeats of each run find, from and to. */
const FOUND: Readonly<Record<string, readonly [number, number]>> = {
  "made, 1 % of noise": [0.95, 1],
  "made, 4 % of noise": [0.8, 0.99],
  "made, 8 % of noise": [0.2, 0.6],
  "quiet.json": [0.1, 0.5],
  "busy.json": [0.02, 0.25],
};

/** Two runs as in reality: each with its own process and its own minutes. */
function twoRuns(parts: PoolParts, random: Rng): BenchComparison {
  const [ours, theirs] = drawTwo(parts.processes, random);
  const run = (process: number): ReturnType<typeof resultOf> => {
    const repeats = drawRun(parts, process, REPEATS, random).map(([cpu, throughput], round) => ({
      round,
      atSeconds: round,
      answers: 1,
      errors: 0,
      metrics: { cpu: Math.exp(cpu!), throughput: Math.exp(throughput!) },
    }));
    return resultOf(
      [{ ...cellOf("base", { cpu: [1] }), repeats }],
      GATES.map((metric) => gate(metric)),
    );
  };
  const question = { minEffect: 0.03, alpha: 0.05, seed: random.int(2 ** 31) };
  const few = { permutations: 600, resamples: 500 };
  return compare(run(ours), run(theirs), question, [], { efforts: { gate: few, shown: few } });
}

test("two runs with one process each raise more alarms, so they fail no build", () => {
  const [, result] = roundPools().find(([name]) => name === "quiet.json")!;
  const parts = partsOf(result);
  const random = rng(1, "two runs");
  expect(alarmsOf(2 * PAIRS, () => twoRuns(parts, random))).toBeGreaterThan(FIVE_OR_SO);
});

test("WORTH_OF_A_PROCESS is the distance of the process furthest from the others", () => {
  const [, result] = roundPools().find(([name]) => name === "quiet.json")!;
  const [cpu] = partsOf(result).of;
  const middle = median([...cpu!.process]);
  const furthest = Math.max(...cpu!.process.map((value) => Math.abs(value - middle)));
  expect(Math.abs(furthest - WORTH_OF_A_PROCESS)).toBeLessThan(0.01);
});

/** Another day of one machine: everything costs more, Weir and the controls. */
const ANOTHER_DAY = 1.08;

/** Two runs with that many controls, which the machine affects as it affects Weir. */
function onAnotherDay(
  noise: number,
  controls: readonly OwnControl[],
  times: number,
  random: Rng,
): BenchComparison {
  const values = (middle: number): { readonly cpu: readonly number[] } => ({
    cpu: Array.from({ length: REPEATS }, () => middle * (1 + noise * random.normal())),
  });
  const run = (slower: number, day: number): ReturnType<typeof resultOf> =>
    resultOf(
      [
        cellOf("base", values(50 * slower * day)),
        ...controls.map((name) => cellOf(name, values(20 * day), name)),
      ],
      [gate("cpu")],
    );
  const question = { minEffect: 0.03, alpha: 0.05, seed: random.int(2 ** 31) };
  const few = { permutations: 600, resamples: 500 };
  return compare(run(1, 1), run(times, ANOTHER_DAY), question, [], {
    efforts: { gate: few, shown: few },
  });
}

const DAYS = 100;

/** The number of comparisons in a hundred with the verdict regressed. */
function regressions(noise: number, controls: readonly OwnControl[], times: number): number {
  const random = rng(1, `another day/${noise}/${controls.length}/${times}`);
  const words = Array.from(
    { length: DAYS },
    () => onAnotherDay(noise, controls, times, random).word,
  );
  return words.filter((word) => word === "regressed").length;
}

test.each([
  { noise: 0.03, controls: ["upstream"] },
  { noise: 0.06, controls: ["upstream"] },
  { noise: 0.06, controls: ["upstream", "bare-proxy", "fastify"] },
] as const)(
  "with $noise of noise and $controls a change of the machine is not taken for one of the code",
  ({ noise, controls }) => {
    expect(regressions(noise, controls, 1)).toBeLessThan(5);
  },
);

test("a change of the code is found on another day", () => {
  expect(regressions(0.02, ["upstream"], SLOWDOWN)).toBeGreaterThanOrEqual(95);
});
