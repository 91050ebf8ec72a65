import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "a quota is counted by the algorithm of the rates",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) =>
    right(options, budget.scope === "quota" ? { ...budget, scope: "key" } : budget, gateways),
};
