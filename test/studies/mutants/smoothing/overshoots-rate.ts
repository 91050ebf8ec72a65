import type { smoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof smoothingRule> = {
  about: "the last step up is not cut at the rate",
  breaks: ["SMO-2", "SMO-C3"],
  replaces: "limiter/core/smoothing.ts#smoothingRule",
  by: (right, limit) => {
    const rule = right(limit);
    return rule && { ...rule, ceiling: Number.MAX_SAFE_INTEGER };
  },
};
