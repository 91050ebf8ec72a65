import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "each gateway counts the whole rate for itself",
  breaks: ["LIM-1", "LIM-C11"],
  found: "litellm 2730",
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => ({
    ...right(options, budget, gateways),
    place: "gateway",
  }),
};
