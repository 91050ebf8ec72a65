import { withAlgorithm, type levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "the commands of the pipeline let nobody between them",
  breaks: ["ALG-7", "ALG-C6"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    return level.algorithm === "non_transactional" ? withAlgorithm(level, "sliding_log") : level;
  },
};
