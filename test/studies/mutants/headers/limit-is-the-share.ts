import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "under DRL the headers show the share of one gateway as the limit",
  breaks: ["HDR-C2"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    return { ...level, shownLimit: level.capacity };
  },
};
