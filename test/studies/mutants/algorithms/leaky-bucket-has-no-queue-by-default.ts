import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "a leaky bucket without a configured queue lets no request wait",
  breaks: ["ALG-C10"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) =>
    right(options.queue === "rate" ? { ...options, queue: 0 } : options, budget, gateways),
};
