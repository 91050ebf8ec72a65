import type { recordSuccess } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordSuccess> = {
  about: "nobody is told that the store is back",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#recordSuccess",
  by: (right, health, nowUs, expiryUs) => {
    right(health, nowUs, expiryUs);
    return false;
  },
};
