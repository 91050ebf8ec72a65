import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "an algorithm that does not smooth takes the threshold for the limit",
  breaks: ["SMO-C5"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    const { smoothing } = budget.limit;
    if (smoothing === null || level.rule !== null) return level;
    return { ...level, capacity: smoothing.threshold, burst: smoothing.threshold };
  },
};
