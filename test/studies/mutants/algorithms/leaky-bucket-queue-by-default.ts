import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "a leaky bucket has a queue as long as the rate whatever is configured",
  breaks: ["ALG-C10"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => right({ ...options, queue: "rate" }, budget, gateways),
};
