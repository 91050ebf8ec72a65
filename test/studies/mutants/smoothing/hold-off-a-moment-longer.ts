import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "a hold-off is not over when delay has passed, but a moment later",
  breaks: ["SMO-C1", "SMO-9"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) =>
    settled.allowance.holdUntilUs === nowUs ? settled : right(rule, settled, r, nowUs),
};
