import type { smoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof smoothingRule> = {
  about: "a step that would pass the rate is not made at all",
  breaks: ["SMO-C3"],
  replaces: "limiter/core/smoothing.ts#smoothingRule",
  by: (right, limit) => {
    const rule = right(limit);
    const steps = rule === null ? 0 : Math.floor((rule.ceiling - rule.threshold) / rule.step);
    return rule && { ...rule, ceiling: rule.threshold + steps * rule.step };
  },
};
