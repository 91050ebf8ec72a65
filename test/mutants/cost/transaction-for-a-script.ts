import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "MULTI and EXEC are sent also where a script is configured",
  breaks: ["ALG-C7"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels) => right(levels, "multi"),
};
