import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "the measured rate leaves out the request that is judged",
  breaks: ["SMO-3", "SMO-4"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => right(rule, settled, r - 1, nowUs),
};
