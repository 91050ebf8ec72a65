import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "the trigger is a part of the allowance instead of a part of the step",
  breaks: ["SMO-3"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => {
    const riseMargin = (rule.riseMargin / rule.step) * settled.allowance.value;
    return right({ ...rule, riseMargin }, settled, r, nowUs);
  },
};
