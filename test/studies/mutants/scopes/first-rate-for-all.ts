import type { Budget } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

const first = new Map<string, Budget>();

export const mutant: Mutant<BudgetOf> = {
  about: "whoever comes first brings the rate for everybody with the same window",
  breaks: ["LIM-C8", "LIM-4"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  begin: () => first.clear(),
  by: (right, ...args) => {
    const budget = right(...args);
    if (budget !== null && !first.has(budget.space)) first.set(budget.space, budget);
    return budget && first.get(budget.space)!;
  },
};
