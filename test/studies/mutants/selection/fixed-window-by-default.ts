import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "without any option a fixed window counts",
  breaks: ["ALG-2"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) => {
    const chosen = right(options, limit, gateways);
    return options.algorithm === null && chosen === "sliding_log" ? "fixed_window" : chosen;
  },
};
