import type { recordFailure } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordFailure> = {
  about: "each failure of the store is told as a change-over",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#recordFailure",
  by: (right, health, gateways, nowUs) => {
    right(health, gateways, nowUs);
    return true;
  },
};
