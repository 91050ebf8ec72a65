import { expect, test } from "vitest";
import { keysInTurn, keysOfConnections, planArrivals } from "#src/studies/bench/load/arrivals.ts";
import { createHistogram } from "#src/studies/bench/load/latencies.ts";
import { describeOverrun } from "#src/studies/bench/load/load.ts";
import { SECOND, micros } from "#src/kit/units.ts";

test("constant arrivals are equally far apart", () => {
  expect(planArrivals("constant", 4, SECOND, 1)).toEqual([0, 250_000, 500_000, 750_000]);
});

test("Poisson arrivals have the mean and the spread of their distribution, and one seed draws the same ones", () => {
  const planned = planArrivals("poisson", 1_000, micros(20 * SECOND), 3);
  expect(planArrivals("poisson", 1_000, micros(20 * SECOND), 3)).toEqual(planned);
  expect(planArrivals("poisson", 1_000, micros(20 * SECOND), 4)).not.toEqual(planned);
  expect(planned.length).toBeGreaterThan(19_500);
  expect(planned.length).toBeLessThan(20_500);
  const gaps = planned.slice(1).map((atUs, at) => atUs - planned[at]!);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
});

test("with zipf the first key is twice as frequent as the second and ten times as frequent as the tenth", () => {
  const draw = keysInTurn("zipf", 100, 5);
  const counts = Array.from({ length: 100 }, () => 0);
  for (let i = 0; i < 200_000; i++) counts[draw()]!++;
  expect(counts[0]! / counts[1]!).toBeCloseTo(2, 0);
  expect(counts[0]! / counts[9]!).toBeGreaterThan(9);
  expect(counts[0]! / counts[9]!).toBeLessThan(11);
  expect(counts.every((count) => count > 0)).toBe(true);
});

test.each([
  [40, 32],
  [10_000, 128],
  [3, 8],
])("%i keys on %i connections all occur", (keyCount, connections) => {
  const shares = keysOfConnections("many", keyCount, connections, 1);
  expect(shares.length).toBe(connections);
  expect(shares.every((share) => share.length > 0)).toBe(true);
  expect(new Set(shares.flat()).size).toBe(keyCount);
});

test("the requests of all connections with zipf are few enough to be built before a repeat", () => {
  const shares = keysOfConnections("zipf", 10_000, 128, 1);
  expect(shares.flat().length).toBe(16_384);
  expect(shares[0]).not.toEqual(shares[1]);
});

test("quantiles are those of the recorded values, to three digits", () => {
  const { record, quantiles } = createHistogram();
  expect(quantiles()).toBe(null);
  for (let us = 1; us <= 1_000; us++) record(us);
  expect(quantiles()).toMatchObject({
    count: 1_000,
    p50Us: 500,
    p90Us: 900,
    p99Us: 990,
    maxUs: 1_000,
  });
});

const late = (p99Us: number) => ({
  count: 1,
  meanUs: 0,
  p50Us: 0,
  p90Us: 0,
  p99Us,
  p999Us: p99Us,
  maxUs: p99Us,
});

test.each([
  { p99Us: 1_000, busy: 0.5, message: "nothing" },
  { p99Us: 6_000, busy: 0.5, message: "6.0 ms or more after its time" },
  { p99Us: 1_000, busy: 0.95, message: "busy for 95 %" },
])(
  "a load generator that is $p99Us us late and $busy busy has the message $message",
  ({ p99Us, busy, message }) => {
    expect(describeOverrun(late(p99Us), busy) ?? "nothing").toContain(message);
  },
);
