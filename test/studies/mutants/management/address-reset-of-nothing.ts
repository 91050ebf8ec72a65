import type { Budget } from "#src/limiter/core/budget.ts";
import type { Client } from "#src/limiter/core/client.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(budget: Budget, name: string | null) => Client | null> = {
  about: "a budget of an address is not found by its name",
  breaks: ["MGT-C11"],
  replaces: "gateway/key-budgets.ts#findClient",
  by: () => null,
};
