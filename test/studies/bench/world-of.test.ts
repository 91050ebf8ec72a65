import { expect, test } from "vitest";
import { readConfiguration } from "#src/limiter/world/read.ts";
import {
  dependsOnCapacity,
  limitOf,
  arrivalsPerSecond,
  worldOf,
} from "#src/studies/bench/world-of.ts";
import { suite } from "./bench-suite.ts";

const { base } = suite();
const PER_US = 100_000;

test.each([
  // Below a demand of 1 it is never reached, however fast the machine gets.
  [{ demand: 0.5 }, { rate: 100_000, perUs: PER_US }],
  [
    { demand: 0.9, algorithm: "sliding_log" },
    { rate: 100_000, perUs: PER_US },
  ],
  [
    { demand: 0.5, load_model: "poisson" },
    { rate: 100_000, perUs: PER_US },
  ],
  [
    { demand: 0.5, keys: "many" },
    { rate: 1_000_000, perUs: 1_000_000 },
  ],
  [{ demand: 1 }, { rate: 1_000, perUs: PER_US }],
  [{ demand: 10 }, { rate: 100, perUs: PER_US }],
  // A fifth of the capacity arrives, so a fifth of the limit is the same demand.
  [
    { demand: 2, load_model: "poisson" },
    { rate: 100, perUs: PER_US },
  ],
  // Each of 10,000 keys sends one request a second, and half of them may pass: not even one in 100 ms.
  [
    { demand: 2, keys: "many" },
    { rate: 2, perUs: 4_000_000 },
  ],
  // With Zipf the busiest keys reach their limit at any demand.
  [
    { demand: 0.5, keys: "zipf" },
    { rate: 2, perUs: 1_000_000 },
  ],
  [
    { demand: 10, keys: "zipf" },
    { rate: 2, perUs: 20_000_000 },
  ],
] as const)("of a capacity of 10,000 a second %j is a limit of %j", (different, limit) => {
  expect(limitOf({ ...base, ...different }, 10_000, suite())).toEqual(limit);
});

test("an open loop sends a fifth of the capacity, a closed one as many as get a response", () => {
  expect(arrivalsPerSecond(base, 10_000)).toBe(10_000);
  expect(arrivalsPerSecond({ ...base, load_model: "constant" }, 10_000)).toBe(2_000);
});

test.each([
  ["a cell", base, 10_000, 1],
  ["a cell of many keys", { ...base, keys: "many" as const }, 10_000, 10_000],
  ["what says how much load there can be", base, null, 1],
  ["no limit", null, 10_000, 1],
])("the world of %s has no problems", (_what, factors, capacity, keys) => {
  const { configuration, problems } = readConfiguration(worldOf(factors, capacity, suite()));
  expect(problems).toEqual([]);
  expect(configuration?.keys.size).toBe(keys);
});

test.each([
  [{}, false],
  [{ keys: "many" }, false],
  [{ demand: 1 }, true],
  [{ keys: "zipf" }, true],
  [{ load_model: "poisson" }, true],
] as const)("the load of %j follows from the capacity: %s", (different, follows) => {
  expect(dependsOnCapacity({ ...base, ...different })).toBe(follows);
});

test("the world of a cell has its algorithm, and bursts as large as its rate", () => {
  const { configuration } = readConfiguration(
    worldOf({ ...base, algorithm: "gcra" }, 10_000, suite()),
  );
  expect(configuration?.options).toMatchObject({ algorithm: "gcra", burst: "rate" });
});
