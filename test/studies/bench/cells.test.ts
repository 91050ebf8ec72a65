import { expect, test } from "vitest";
import {
  cellsOf,
  combinationsOf,
  shorten,
  refusalShare,
  secondsOf,
  warmUpOf,
} from "#src/studies/bench/cells.ts";
import { micros } from "#src/kit/units.ts";
import { subjectsOf } from "#src/studies/bench/subjects.ts";
import type { Factors } from "#src/studies/bench/suite.ts";
import { suite } from "./bench-suite.ts";

const names = (cells: readonly { readonly name: string }[]): readonly string[] =>
  cells.map(({ name }) => name);

test("cells are the base and one change at a time, in the order of the factors", () => {
  expect(names(cellsOf(suite()))).toEqual([
    "base",
    "algorithm=gcra",
    "algorithm=drl",
    "store=redis",
    "demand=2",
    "connections=1",
    "connections=128",
  ]);
});

test("a cell has the base's factors but the one that it is called by", () => {
  const { base } = suite();
  expect(cellsOf(suite())[3]).toEqual({
    name: "store=redis",
    factors: { ...base, store: "redis" },
  });
});

test("every combination is called by all that differs from the base", () => {
  const cells = combinationsOf(suite({ vary: { algorithm: ["gcra"], store: ["redis"] } }));
  expect(names(cells)).toEqual([
    "base",
    "store=redis",
    "algorithm=gcra",
    "algorithm=gcra store=redis",
  ]);
});

test("a short run has the first change of each factor, two controls and the gates that are left", () => {
  const short = shorten(
    suite({
      controls: ["unlimited", "upstream", "fastify"],
      gates: [
        { cell: "base", metric: "cpu" },
        { cell: "algorithm=drl", metric: "cpu" },
      ],
    }),
  );
  expect(names(cellsOf(short))).toEqual([
    "base",
    "algorithm=gcra",
    "store=redis",
    "demand=2",
    "connections=1",
  ]);
  expect(short).toMatchObject({
    controls: ["unlimited", "upstream"],
    gates: [{ cell: "base", metric: "cpu" }],
    repeats: 3,
    lastsUs: 500_000,
  });
});

test("a warm-up has turns that are at most as long as a repeat", () => {
  const lastsUs = micros(1_500_000);
  const warming = (us: number) => warmUpOf({ warmUpUs: micros(us), lastsUs });
  expect(warming(5_000_000)).toEqual({ turns: 4, eachUs: 1_250_000 });
  expect(warming(1_500_000)).toEqual({ turns: 1, eachUs: 1_500_000 });
  expect(warming(100_000)).toEqual({ turns: 1, eachUs: 100_000 });
});

test("the time a run takes has every warm-up in it", () => {
  const short = { ...suite(), lastsUs: micros(1_000_000), warmUpUs: micros(1_000_000) };
  const long = { ...short, warmUpUs: micros(3_000_000) };
  // Two turns more for each of three, and for the cell that measures the capacity.
  expect(secondsOf(long, 2, 1) - secondsOf(short, 2, 1)).toBeCloseTo(3 * 2 * 1.15 + 2);
});

test("controls get the load of the base, with one key and in a closed loop", () => {
  const subjects = subjectsOf(
    suite({ base: { load_model: "poisson", keys: "zipf" } }),
    [],
    ["upstream"],
  );
  expect(subjects).toEqual([
    {
      name: "upstream",
      role: "control",
      loadFactors: { ...suite().base, load_model: "closed", keys: "one" },
      factors: null,
      control: "upstream",
    },
  ]);
});

test.each([
  ["one", 0.5, 0],
  ["one", 1, 0],
  ["one", 2, 0.5],
  ["many", 10, 0.9],
] as const)("of %s key at %d times the limit the share refused is %d", (keys, demand, share) => {
  expect(refusalShare({ ...suite().base, keys, demand }, 100)).toBeCloseTo(share);
});

test.each(["sliding_log", "bounded_log", "sentinel", "non_transactional"] as const)(
  "%s counts refused requests, and admits none of a client that always sends more",
  (algorithm) => {
    const share = (factors: Partial<Factors>): number =>
      refusalShare({ ...suite().base, algorithm, ...factors }, 2);
    expect(share({ demand: 0.5 })).toBe(0);
    expect(share({ demand: 1 })).toBe(0);
    expect(share({ demand: 2 })).toBe(1);
    expect(share({ demand: 1, keys: "zipf" })).toBeCloseTo(2 / 3);
  },
);

test("of Zipf's keys the busy ones are refused although all together stay below the limit", () => {
  // Two keys: one sends twice as many requests as the other, and each limit is half of the load.
  expect(refusalShare({ ...suite().base, keys: "zipf", demand: 1 }, 2)).toBeCloseTo(2 / 3 - 1 / 2);
  expect(refusalShare({ ...suite().base, keys: "zipf", demand: 0.5 }, 2)).toBe(0);
});
