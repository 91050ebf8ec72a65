import type { quotaBudget } from "#src/limiter/core/resolve/quota.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof quotaBudget> = {
  about: "a changed quota_max starts a new count",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/quota.ts#quotaBudget",
  by: (right, quota, counted) => {
    const budget = right(quota, counted);
    return budget && { ...budget, space: `${budget.space}/${budget.limit.rate}` };
  },
};
