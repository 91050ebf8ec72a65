import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "the last step down is not cut at the threshold",
  breaks: ["SMO-2", "SMO-C3"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => right({ ...rule, threshold: 0 }, settled, r, nowUs),
};
