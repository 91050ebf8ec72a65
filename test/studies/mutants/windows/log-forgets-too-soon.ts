import type { waitUnwritten } from "#src/limiter/algorithms/sliding-log/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof waitUnwritten> = {
  about: "an attempt is forgotten a microsecond before its window ends",
  breaks: ["ALG-C2"],
  replaces: "limiter/algorithms/sliding-log/rule.ts#waitUnwritten",
  by: (right, rows, row, k, perUs, nowUs, units) => right(rows, row, k, perUs, nowUs + 1, units),
};
