import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "gcra without a configured tolerance lets the whole rate pass at once",
  breaks: ["ALG-C9"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) =>
    right(options.burst === 1 ? { ...options, burst: "rate" } : options, budget, gateways),
};
