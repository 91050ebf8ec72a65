import type { waitForNext } from "#src/limiter/algorithms/sliding-log/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof waitForNext> = {
  about: "the Retry-After of a log counts its refused request as one unit",
  breaks: ["LIM-C19", "HDR-C1"],
  replaces: "limiter/algorithms/sliding-log/rule.ts#waitForNext",
  by: (right, rows, row, k, perUs, nowUs, _, next) => right(rows, row, k, perUs, nowUs, 1, next),
};
