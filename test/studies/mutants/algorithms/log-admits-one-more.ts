import type { waitUnwritten } from "#src/limiter/algorithms/sliding-log/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof waitUnwritten> = {
  about: "a log refuses when the rate has been passed, not when it would be",
  breaks: ["LIM-1", "ALG-C2"],
  replaces: "limiter/algorithms/sliding-log/rule.ts#waitUnwritten",
  by: (right, rows, row, k, perUs, nowUs, units) =>
    right(rows, row, k < 1 ? k : k + 1, perUs, nowUs, units),
};
