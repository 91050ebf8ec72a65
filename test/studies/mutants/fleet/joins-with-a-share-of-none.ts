import type { gatewaysAt } from "#src/limiter/core/limiter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof gatewaysAt> = {
  about: "a gateway that joins gives out nothing until it has heard the others",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/limiter.ts#gatewaysAt",
  by: (right, limiter, nowUs) => {
    const known = right(limiter, nowUs);
    return known === 1 ? 1_000 : known;
  },
};
