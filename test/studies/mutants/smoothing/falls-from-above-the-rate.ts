import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "made-up falls start from an allowance above a lowered rate, and not from the rate",
  breaks: ["SMO-C6", "SMO-2"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, newest, perUs, nowUs) => {
    const usual = right(rule, stored, newest, perUs, nowUs);
    if (stored === null || stored.value <= rule.ceiling || usual.isCut) return usual;
    return right({ ...rule, ceiling: stored.value }, stored, newest, perUs, nowUs);
  },
};
