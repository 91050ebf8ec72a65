import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "each gateway has an allowance of its own",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => {
    const level = right(options, budget, gateways);
    return level.rule === null ? level : { ...level, place: "gateway" };
  },
};
