import type { budgetsOf } from "#src/limiter/core/resolve/own-budgets.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof budgetsOf> = {
  about: "what counts by the address is shown, and given back, as if it counted the key",
  breaks: ["MGT-C11", "LIM-C17"],
  replaces: "limiter/core/resolve/own-budgets.ts#budgetsOf",
  by: (right, ...args) => right(...args).map((each) => ({ ...each, by: null })),
};
