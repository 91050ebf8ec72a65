import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "a script is called also where MULTI and EXEC are configured",
  breaks: ["ALG-C7", "ALG-11"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels) => right(levels, "script"),
};
