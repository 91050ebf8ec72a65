import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "a long window does not keep an unused allowance longer than two hold-offs",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const isIdle = stored?.value === rule.threshold && nowUs - stored.lastUs >= 2 * rule.delayUs;
    return right(rule, isIdle ? null : stored, attempts, perUs, nowUs);
  },
};
