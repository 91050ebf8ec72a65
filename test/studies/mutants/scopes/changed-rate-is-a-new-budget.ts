import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "a changed rate starts a new budget",
  breaks: ["LIM-C11", "MGT-C5"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, ...args) => {
    const budget = right(...args);
    return budget && { ...budget, space: `${budget.space}/${budget.limit.rate}` };
  },
};
