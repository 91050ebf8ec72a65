import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetAt } from "../private.ts";

export const mutant: Mutant<BudgetAt> = {
  about: "an unlimited endpoint hands over to the less specific limit",
  breaks: ["LIM-C10"],
  replaces: "limiter/core/resolve/resolver.ts#budgetAt",
  by: (right, rules, endpoint) => right(rules, endpoint) ?? rules.otherwise,
};
