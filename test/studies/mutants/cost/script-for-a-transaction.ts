import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { billOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof billOf> = {
  about: "a script is called also where MULTI and EXEC are configured",
  breaks: ["ALG-C7", "ALG-11"],
  replaces: "lab/sim/cost.ts#billOf",
  by: (right, levels, options, fate) =>
    right(levels, { ...options, storeTransaction: "script" }, fate),
};
