import type { levelOf } from "../../../../src/core/select.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "the tolerance of gcra may be more than the rate",
  breaks: ["LIM-1", "ALG-C9"],
  replaces: "core/select.ts#levelOf",
  by: (right) => (options, budget, gateways) => {
    const level = right(options, budget, gateways);
    const isOwn = level.algorithm === "gcra" && options.burst !== "rate";
    return isOwn ? { ...level, burst: options.burst } : level;
  },
};
