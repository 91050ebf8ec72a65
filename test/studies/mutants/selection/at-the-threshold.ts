import type { exceedsThreshold } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof exceedsThreshold> = {
  about: "DRL is chosen at the threshold already, not only above it",
  breaks: ["ALG-1", "ALG-C1"],
  replaces: "limiter/core/limit.ts#exceedsThreshold",
  by: (right, limit, threshold, gateways) =>
    right({ ...limit, rate: limit.rate + 0.000_001 }, threshold, gateways),
};
