import { expect, test } from "vitest";
import { checkKnownAnswers } from "#src/studies/pareto/known-answers.ts";

const answers = new Map(checkKnownAnswers(1).map((answer) => [answer.id, answer]));

test.each([
  ["per_node", "3 times"],
  ["fixed_window", "200"],
  ["sliding_window_counter, uniform", "0 too many, 0 too few of 990"],
  ["sliding_window_counter, at the limit", "0 too many, 9 too few in 10 windows"],
  ["sliding_window_counter, bursty", "1.17 % too many, 9.19 % too few"],
])("%s has its known answer", (id, measured) => {
  expect(answers.get(id)).toMatchObject({ measured, holds: true });
});

test("a load fitted at 50 ms predicts the published excess at 10 ms", () => {
  const [fitted, predicted] = ["periodic_sync, fitted", "periodic_sync, predicted"].map((id) =>
    /^\+([\d.]+) %/.exec(answers.get(id)!.measured)!.map(Number),
  );
  expect(Math.abs(fitted![1]! - 13.1)).toBeLessThanOrEqual(0.5);
  expect(Math.abs(predicted![1]! - 3.7)).toBeLessThanOrEqual(3);
  expect(answers.get("periodic_sync, fitted")!.measured).toMatch(
    / at a load of [\d.]+ times the limit$/,
  );
});

test.each([
  ["periodic_sync, computed for 3", 9.87],
  ["periodic_sync, computed for 2", 1.1],
])("%s: what arrives elsewhere in one interval is too many", (id, expected) => {
  const { measured } = answers.get(id)!;
  const [, over] = /^\+([\d.]+) %$/.exec(measured)!.map(Number);
  expect(over).toBeGreaterThan(0.9 * expected);
  expect(over).toBeLessThan(1.1 * expected);
});

test("every answer holds", () => {
  expect([...answers.values()].filter(({ holds }) => !holds)).toEqual([]);
  expect(answers.size).toBe(9);
});
