import type { wait } from "../../../../src/algorithms/leaky-bucket/rule.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "a place of a leaky bucket is free a microsecond before a request has left",
  breaks: ["ALG-C10"],
  replaces: "algorithms/leaky-bucket/rule.ts#wait",
  by:
    (right) =>
    (...args) => {
      const us = right(...args);
      return us === 1 ? 0 : us;
    },
};
