import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "the period of a quota begins with the clock instead of the first request",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    return budget.scope === "quota" && Number.isFinite(budget.limit.perUs)
      ? { ...level, startsAtClock: true }
      : level;
  },
};
