import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "the tolerance of gcra is at most the rate, whatever is configured",
  breaks: ["ALG-C9"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    return level.algorithm === "gcra"
      ? { ...level, burst: Math.min(level.capacity, level.burst) }
      : level;
  },
};
