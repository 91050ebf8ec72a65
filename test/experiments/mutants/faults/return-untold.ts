import type { noteSuccess } from "../../../../src/core/health.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof noteSuccess> = {
  about: "nobody is told that the store is back",
  breaks: ["ALG-C8"],
  replaces: "core/health.ts#noteSuccess",
  by: (right) => (health, nowUs, expiryUs) => {
    right(health, nowUs, expiryUs);
    return false;
  },
};
