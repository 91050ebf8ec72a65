import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "a rise goes to the rate at once",
  breaks: ["SMO-3"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => right({ ...rule, step: rule.ceiling }, settled, r, nowUs),
};
