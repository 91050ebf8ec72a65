import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "credentials of one pattern share a budget if both are smoothed, in whatever way",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, ...args) => {
    const budget = right(...args);
    return budget && { ...budget, space: budget.space.replace(/ smoothed .*/, " smoothed") };
  },
};
