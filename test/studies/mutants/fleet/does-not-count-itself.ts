import type { countActive } from "#src/limiter/core/fleet.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof countActive> = {
  about: "a gateway divides by the others that it hears",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/fleet.ts#countActive",
  by: (right, fleet, nowUs, expiryUs) => Math.max(1, right(fleet, nowUs, expiryUs) - 1),
};
