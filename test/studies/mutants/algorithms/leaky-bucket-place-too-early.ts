import type { wait } from "#src/limiter/algorithms/leaky-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "a place of a leaky bucket is free a microsecond before a request has left",
  breaks: ["ALG-C10"],
  replaces: "limiter/algorithms/leaky-bucket/rule.ts#wait",
  by: (right, ...args) => {
    const us = right(...args);
    return us === 1 ? 0 : us;
  },
};
