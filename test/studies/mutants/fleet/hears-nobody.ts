import type { countActive } from "#src/limiter/core/fleet.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof countActive> = {
  about: "a gateway takes itself for the only one",
  breaks: ["ALG-C4", "ALG-C1"],
  replaces: "limiter/core/fleet.ts#countActive",
  by: () => 1,
};
