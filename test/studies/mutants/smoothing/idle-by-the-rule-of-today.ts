import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about:
    "whether a record is idle is asked of the rule that applies now, not of the one that judged it",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, newest, perUs, nowUs) => {
    if (stored === null) return right(rule, stored, newest, perUs, nowUs);
    const idleUs = Math.max(perUs, 2 * rule.delayUs);
    const absentFromUs = stored.value === rule.threshold ? stored.lastUs + idleUs : Infinity;
    return right(rule, { ...stored, absentFromUs }, newest, perUs, nowUs);
  },
};
