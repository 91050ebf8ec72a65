import type { waitUnwritten } from "#src/limiter/algorithms/sliding-log/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof waitUnwritten> = {
  about: "a log admits a request where one of its units fits",
  breaks: ["LIM-C19"],
  replaces: "limiter/algorithms/sliding-log/rule.ts#waitUnwritten",
  by: (right, rows, row, k, perUs, nowUs) => right(rows, row, k, perUs, nowUs, 1),
};
