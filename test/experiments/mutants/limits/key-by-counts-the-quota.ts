import type { countedClient } from "../../../../src/core/budget.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof countedClient> = {
  about: "where budgets go by a header or the address, quotas do too",
  breaks: ["LIM-C17"],
  replaces: "core/budget.ts#countedClient",
  by: () => (_budget, client) => client,
};
