// How often a comparison tells gateways apart that are all the same. Repeats of one process have more in common than those of
// two: what its compiler made of the code, where its memory came to lie. No test on the repeats of two runs can see that.
import { compare } from "../../src/bench/compare/compare.ts";
import type { BenchResult, CellResult } from "../../src/bench/result.ts";

const FEW = { permutations: 1_000, resamples: 1_000 };

export function alarmsBetween(pool: BenchResult): {
  readonly alarms: number;
  readonly pairs: number;
} {
  const alone = (cell: CellResult): BenchResult => ({
    ...pool,
    gates: [
      { cell: "base", metric: "cpu" },
      { cell: "base", metric: "throughput" },
    ],
    cells: [{ ...cell, name: "base" }],
  });
  const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };
  let alarms = 0;
  let pairs = 0;
  for (const [at, one] of pool.cells.entries())
    for (const other of pool.cells.slice(at + 1)) {
      const { gates } = compare(alone(one), alone(other), question, [], { gate: FEW, shown: FEW });
      if (gates.some(({ verdict: { word } }) => word === "improved" || word === "regressed"))
        alarms++;
      pairs++;
    }
  return { alarms, pairs };
}
