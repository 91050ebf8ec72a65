import type { resetBudgets } from "#src/gateway/key-budgets.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resetBudgets> = {
  about: "a reset of one budget resets all of them",
  breaks: ["MGT-C11"],
  replaces: "gateway/key-budgets.ts#resetBudgets",
  by: (right, gateway, credential) => right(gateway, credential, null),
};
