import type { budgetClient } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof budgetClient> = {
  about: "where budgets go by a header or the address, quotas do too",
  breaks: ["LIM-C17"],
  replaces: "limiter/core/budget.ts#budgetClient",
  by: (_right, _budget, client) => client,
};
