import type { delay } from "#src/limiter/algorithms/leaky-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof delay> = {
  about: "a waiting request of a leaky bucket leaves a microsecond late",
  breaks: ["ALG-C10"],
  replaces: "limiter/algorithms/leaky-bucket/rule.ts#delay",
  by: (right, ...args) => {
    const us = right(...args);
    return us === 0 ? 0 : us + 1;
  },
};
