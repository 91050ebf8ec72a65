import { expect, test } from "vitest";
import { flowsOf, patternOf, linesOf, requestsIn, type Burst } from "#src/studies/worst/pattern.ts";

const burst = (atUs: number, count: number, client = 0): Burst => ({ atUs, count, client });

test("bursts are put in order, and those of one instant and one client together", () => {
  const bursts = [burst(5, 2), burst(1, 1), burst(5, 3), burst(5, 1, 1)];
  expect(patternOf(bursts)).toEqual([burst(1, 1), burst(5, 5), burst(5, 1, 1)]);
});

test("empty bursts are left out, and a burst before the start moves to the start", () => {
  expect(patternOf([burst(-3, 1), burst(2.4, 1), burst(9, 0)])).toEqual([burst(0, 1), burst(2, 1)]);
});

test("another client's burst keeps its place between two bursts of one client", () => {
  const between = [burst(5, 1), burst(5, 1, 1), burst(5, 1)];
  expect(patternOf(between)).toEqual(between);
});

test("a burst is a line of a scenario, and so are single requests at even distances", () => {
  const pattern = [burst(0, 4), ...[1, 2, 3].map((i) => burst(i * 250_000, 1)), burst(999_999, 2)];
  expect(linesOf(pattern, ["alice"])).toEqual([
    "  - { name: burst 1, as: alice, send: GET /orders, burst: 4, at: 0s }",
    "  - { name: burst 2, as: alice, send: GET /orders, every: 250ms, count: 3, at: 250ms }",
    "  - { name: burst 3, as: alice, send: GET /orders, burst: 2, at: 999.999ms }",
  ]);
  expect(requestsIn(pattern)).toBe(9);
});

test.each([
  ["two of them", [burst(0, 1), burst(5, 1)], 2],
  ["uneven ones", [burst(0, 1), burst(5, 1), burst(11, 1)], 3],
  ["those of several clients", [burst(0, 1), burst(5, 1, 1), burst(10, 1)], 3],
  ["larger ones", [burst(0, 2), burst(5, 2), burst(10, 2)], 3],
  ["three behind a larger one", [burst(0, 2), burst(5, 1), burst(10, 1), burst(15, 1)], 2],
  ["all in one row", [burst(0, 1), burst(5, 1), burst(10, 1), burst(15, 1)], 1],
] as const)("single requests stay single: %s", (_, pattern, flows) => {
  expect(flowsOf(pattern, ["alice", "bob"])).toHaveLength(flows);
});
