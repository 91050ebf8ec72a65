import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "DRL counts its share in the store, one for all gateways",
  breaks: ["ALG-1", "ALG-C4"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => ({
    ...right(options, budget, gateways),
    place: "store",
  }),
};
