import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetAt } from "../private.ts";

export const mutant: Mutant<BudgetAt> = {
  about: "the least specific limit of a level rules where there is one",
  breaks: ["LIM-C1", "LIM-C10", "EPT-2"],
  replaces: "limiter/core/resolve/resolver.ts#budgetAt",
  by: (right, rules, endpoint) => rules.otherwise ?? right(rules, endpoint),
};
