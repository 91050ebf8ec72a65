import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SMOOTHED_LOG } from "#src/limiter/store/smoothed-log.ts";

export const mutant: Mutant<(typeof SMOOTHED_LOG)["writeRefused"]> = {
  about: "a refusal sets the allowance back to the threshold",
  breaks: ["SMO-5"],
  replaces: "limiter/store/smoothed-log.ts#SMOOTHED_LOG.writeRefused",
  by: (right, one, atUs, reply, units) => {
    const { rule, budget } = one.level;
    const value = rule?.threshold ?? budget.limit.rate;
    if (one.moved !== null)
      one.moved = { ...one.moved, allowance: { ...one.moved.allowance, value } };
    right(one, atUs, reply, units);
  },
};
