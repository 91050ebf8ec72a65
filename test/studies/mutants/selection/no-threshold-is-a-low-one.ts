import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "where no threshold is configured every limit is above it",
  breaks: ["ALG-2", "ALG-C1"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) =>
    right({ ...options, drlThreshold: options.drlThreshold || 0.000_001 }, limit, gateways),
};
