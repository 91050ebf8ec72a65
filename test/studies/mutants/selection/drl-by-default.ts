import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "without any option each gateway counts its share",
  breaks: ["ALG-2"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) => {
    const chosen = right(options, limit, gateways);
    return options.algorithm === null && chosen === "sliding_log" ? "drl" : chosen;
  },
};
