import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { billOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof billOf> = {
  about: "MULTI and EXEC are sent also where a script is configured",
  breaks: ["ALG-C7"],
  replaces: "lab/sim/cost.ts#billOf",
  by: (right, levels, options, fate) =>
    right(levels, { ...options, storeTransaction: "multi" }, fate),
};
