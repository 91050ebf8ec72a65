import type { smoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof smoothingRule> = {
  about: "the allowance rises at A - step x trigger already",
  breaks: ["SMO-3"],
  replaces: "limiter/core/smoothing.ts#smoothingRule",
  by: (right, limit) => {
    const rule = right(limit);
    return rule && { ...rule, riseMargin: rule.riseMargin + 1 };
  },
};
