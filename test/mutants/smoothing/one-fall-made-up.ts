import type { settle } from "../../../src/core/smoothing.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "however long nobody called, one fall is made up and no more",
  breaks: ["SMO-C6"],
  replaces: "core/smoothing.ts#settle",
  by: (right) => (rule, kept, attempts, perUs, nowUs) => {
    let looks = 0;
    const once: typeof attempts = (afterUs, untilUs) =>
      looks++ > 0 ? Number.POSITIVE_INFINITY : attempts(afterUs, untilUs);
    return right(rule, kept, once, perUs, nowUs);
  },
};
