import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "an allowance below a raised threshold waits until it is lifted",
  breaks: ["SMO-2", "MGT-C5"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const threshold = Math.min(rule.threshold, stored?.value ?? rule.threshold);
    return right({ ...rule, threshold }, stored, attempts, perUs, nowUs);
  },
};
