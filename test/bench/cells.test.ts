import { expect, test } from "vitest";
import { cellsOf, crossOf, quick, refusedShare } from "../../src/bench/cells.ts";
import { subjectsOf } from "../../src/bench/subjects.ts";
import type { Factors } from "../../src/bench/suite.ts";
import { suite } from "./made-suite.ts";

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
  const cells = crossOf(suite({ vary: { algorithm: ["gcra"], store: ["redis"] } }));
  expect(names(cells)).toEqual([
    "base",
    "store=redis",
    "algorithm=gcra",
    "algorithm=gcra store=redis",
  ]);
});

test("a quick look takes the first change of each factor, two controls and the gates that are left", () => {
  const short = quick(
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

test("controls are asked as the base is, by one key and in a closed loop", () => {
  const subjects = subjectsOf(
    suite({ base: { instrument: "poisson", keys: "zipf" } }),
    [],
    ["upstream"],
  );
  expect(subjects).toEqual([
    {
      name: "upstream",
      role: "control",
      asked: { ...suite().base, instrument: "closed", keys: "one" },
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
  expect(refusedShare({ ...suite().base, keys, demand }, 100)).toBeCloseTo(share);
});

test.each(["sliding_log", "bounded_log", "sentinel", "non_transactional"] as const)(
  "%s counts what it refuses, and admits nothing to who keeps asking for more",
  (algorithm) => {
    const share = (factors: Partial<Factors>): number =>
      refusedShare({ ...suite().base, algorithm, ...factors }, 2);
    expect(share({ demand: 0.5 })).toBe(0);
    expect(share({ demand: 1 })).toBe(0);
    expect(share({ demand: 2 })).toBe(1);
    expect(share({ demand: 1, keys: "zipf" })).toBeCloseTo(2 / 3);
  },
);

test("of Zipf's keys the busy ones are refused although all together stay below the limit", () => {
  // Two keys: one asks twice as often as the other, and each may have as much as half of the load.
  expect(refusedShare({ ...suite().base, keys: "zipf", demand: 1 }, 2)).toBeCloseTo(2 / 3 - 1 / 2);
  expect(refusedShare({ ...suite().base, keys: "zipf", demand: 0.5 }, 2)).toBe(0);
});
