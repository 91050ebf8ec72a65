import type { smoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof smoothingRule> = {
  about: "each step is two steps",
  breaks: ["SMO-3", "SMO-4"],
  replaces: "limiter/core/smoothing.ts#smoothingRule",
  by: (right, limit) => {
    const rule = right(limit);
    return rule && { ...rule, step: rule.step * 2 };
  },
};
