import type { Level, Reply } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(level: Level, reply: Reply) => number> = {
  about: "without the store a gateway uses a quota as it was before its last unit was spent",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#fallbackValue",
  by: (right, level, reply) => {
    const value = right(level, reply);
    return value > 0 ? value : -1;
  },
};
