// Cells whose two measurements are of different loads are named, and the others are compared.
import { expect, test } from "vitest";
import { checkComparable, reportLeftOut } from "#src/studies/bench/compare/comparable.ts";
import { compare } from "#src/studies/bench/compare/compare.ts";
import type { BenchCellResult, BenchResult } from "#src/studies/bench/result.ts";
import type { Factors } from "#src/studies/bench/suite.ts";
import { cellOf, gate, resultOf } from "../bench-results.ts";

const REPEATS = [50, 51, 50, 49, 50, 51, 50, 49];
const of = (name: string, factors: Partial<Factors>, refused = 0): BenchCellResult => {
  const cell = cellOf(name, { cpu: REPEATS, refused: REPEATS.map(() => refused) });
  return { ...cell, factors: { ...cell.factors!, ...factors } };
};

const runOf = (capacity: number | null, ofLog: number): BenchResult =>
  resultOf(
    [
      of("base", {}),
      of("algorithm=sliding_log", { algorithm: "sliding_log" }, ofLog),
      of("demand=2", { demand: 2 }, 75),
      of("load_model=poisson", { load_model: "poisson" }),
      cellOf("bare-proxy", { cpu: REPEATS }, "bare-proxy"),
      cellOf("bare-proxy load_model=poisson", { cpu: REPEATS }, "bare-proxy"),
    ],
    [gate("cpu"), gate("cpu", "demand=2")],
    { capacity },
  );

const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };

test("cells whose load follows from the capacity are left out where it differs", () => {
  const [base, head] = [runOf(9_000, 0), runOf(5_600, 0)];
  const { obstacles, leftOut } = checkComparable(base, head);
  expect(obstacles).toEqual([]);
  expect(reportLeftOut(leftOut)).toEqual([
    "demand=2, load_model=poisson, bare-proxy load_model=poisson: their load follows from the capacity, which was 9000 answers a second in BASE and 5600 in HEAD: run HEAD again with --capacity 9000",
  ]);
  const { gates, shown } = compare(base, head, question, [], { leftOut });
  expect(gates.map(({ cell, verdict }) => [cell, verdict.word])).toEqual([
    ["base", "same"],
    ["demand=2", "unclear"],
  ]);
  expect(gates[1]!.verdict.why).toContain("--capacity 9000");
  const cells = new Set(shown.map(({ cell }) => cell));
  expect([...cells]).toEqual(["base", "algorithm=sliding_log", "bare-proxy"]);
});

test("a cell that refused another share is left out, and a difference of two points is none", () => {
  const { leftOut } = checkComparable(runOf(9_000, 6), runOf(9_000, 80));
  expect(reportLeftOut(leftOut)).toEqual([
    "algorithm=sliding_log: 6.0 % were refused in BASE and 80 % in HEAD, and a refusal costs less",
  ]);
  expect(checkComparable(runOf(9_000, 78), runOf(9_000, 80)).leftOut.size).toBe(0);
  expect(checkComparable(runOf(9_000, 77), runOf(9_000, 80)).leftOut.size).toBe(1);
});

test("a run that needed no capacity differs from none", () => {
  expect(checkComparable(runOf(null, 0), runOf(5_600, 0)).leftOut.size).toBe(0);
});
