import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "a hold-off is over a microsecond before delay has passed",
  breaks: ["SMO-C1", "SMO-9"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => {
    const { allowance } = settled;
    const holdUntilUs = allowance.holdUntilUs - 1;
    return holdUntilUs > nowUs
      ? settled
      : right(rule, { ...settled, allowance: { ...allowance, holdUntilUs } }, r, nowUs);
  },
};
