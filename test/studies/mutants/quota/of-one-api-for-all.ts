import type { quotaBudget } from "#src/limiter/core/resolve/quota.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof quotaBudget> = {
  about: "quotas of one API and of the key are one count where they renew alike",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/quota.ts#quotaBudget",
  by: (right, ...args) => {
    const budget = right(...args);
    return budget && { ...budget, space: `quota/${budget.limit.perUs}us` };
  },
};
