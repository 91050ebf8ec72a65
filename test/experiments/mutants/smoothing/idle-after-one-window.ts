import type { settle } from "../../../../src/core/smoothing.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "an allowance at the threshold is begun anew after one window without a request",
  breaks: ["SMO-C6"],
  replaces: "core/smoothing.ts#settle",
  by: (right) => (rule, kept, attempts, perUs, nowUs) => {
    const isIdle = kept?.value === rule.threshold && nowUs - kept.lastUs >= perUs;
    return right(rule, isIdle ? null : kept, attempts, perUs, nowUs);
  },
};
