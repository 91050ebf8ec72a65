import type { levelOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof levelOf> = {
  about: "the sentinel's mark slides, though it is to be fixed",
  breaks: ["ALG-C5"],
  replaces: "limiter/core/select.ts#levelOf",
  by: (right, options, budget, gateways) => ({
    ...right(options, budget, gateways),
    fixedMark: false,
  }),
};
