import type { exceedsThreshold } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof exceedsThreshold> = {
  about: "DRL is chosen below the threshold and the store above it",
  breaks: ["ALG-1"],
  replaces: "limiter/core/limit.ts#exceedsThreshold",
  by: (right, limit, threshold, gateways) => !right(limit, threshold, gateways),
};
