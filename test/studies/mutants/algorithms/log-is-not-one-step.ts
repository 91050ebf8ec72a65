import { withAlgorithm, type levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "count and write of the log are two commands, between which others fall",
  breaks: ["ALG-C7"],
  found: "kong 7831",
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    return level.algorithm === "sliding_log" ? withAlgorithm(level, "non_transactional") : level;
  },
};
