import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "spaced requests are as far apart as the threshold says",
  breaks: ["SMO-C5"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const rate = budget.limit.smoothing?.threshold ?? budget.limit.rate;
    const limit = { ...budget.limit, rate };
    const level = right(options, budget, gateways);
    return level.rule === null ? { ...level, budget: { ...budget, limit } } : level;
  },
};
