import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "an allowance at the threshold is begun anew after one window without a request",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const isIdle = stored?.value === rule.threshold && nowUs - stored.lastUs >= perUs;
    return right(rule, isIdle ? null : stored, attempts, perUs, nowUs);
  },
};
