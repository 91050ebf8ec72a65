import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "gcra admits its tolerance at once where the limit admits nothing",
  breaks: ["LIM-1", "LIM-C2", "ALG-C9"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    const isOwn = level.algorithm === "gcra" && options.burst !== "rate";
    return isOwn ? { ...level, burst: options.burst } : level;
  },
};
