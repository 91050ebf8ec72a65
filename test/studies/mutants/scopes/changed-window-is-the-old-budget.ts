import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "the window is no part of what a budget is, so that a changed one has no effect",
  breaks: ["LIM-C8", "LIM-C11"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, ...args) => {
    const budget = right(...args);
    return budget && { ...budget, space: budget.space.replace(/[^/]*$/, "") };
  },
};
