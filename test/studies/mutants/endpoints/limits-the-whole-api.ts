import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetAt } from "../private.ts";

export const mutant: Mutant<BudgetAt> = {
  about: "the first entry counts for all paths that have none",
  breaks: ["EPT-1"],
  replaces: "limiter/core/resolve/resolver.ts#budgetAt",
  by: (right, rules, endpoint) =>
    right(rules, endpoint) ?? (endpoint < 0 ? (rules.endpoints[0] ?? null) : null),
};
