import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "a cut to new bounds begins no hold-off",
  breaks: ["SMO-C1", "MGT-C5"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const settled = right(rule, stored, attempts, perUs, nowUs);
    const holdUntilUs = settled.isCut ? nowUs : settled.allowance.holdUntilUs;
    return { ...settled, isCut: false, allowance: { ...settled.allowance, holdUntilUs } };
  },
};
