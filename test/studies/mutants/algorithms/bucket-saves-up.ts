import { DEBT_WIDTH } from "#src/limiter/algorithms/token-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Owed = (
  cells: Float64Array,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
) => number;

export const mutant: Mutant<Owed> = {
  about: "what a quiet time leaves unused is added to the next burst",
  breaks: ["ALG-C9", "LIM-C11"],
  found: "redisson 3639",
  replaces: "limiter/algorithms/token-bucket/rule.ts#debtAt",
  by: (_right, cells, row, rate, _perUs, nowUs) => {
    const [debt, writtenUs] = cells.subarray(row * DEBT_WIDTH);
    return writtenUs === 0 ? 0 : debt! - Math.max(0, nowUs - writtenUs!) * rate;
  },
};
