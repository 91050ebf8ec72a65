import type { AllowanceUpdate, SmoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Created = (rule: SmoothingRule, nowUs: Micros) => AllowanceUpdate;

export const mutant: Mutant<Created> = {
  about: "a new allowance may be lifted at once",
  breaks: ["SMO-C1"],
  replaces: "limiter/core/smoothing.ts#createSettled",
  by: (right, rule, nowUs) => {
    const { allowance, changes } = right(rule, nowUs);
    return { allowance: { ...allowance, holdUntilUs: nowUs }, changes };
  },
};
