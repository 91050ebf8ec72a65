import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "the hold-off holds rises back, and no falls",
  breaks: ["SMO-C1"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => {
    const { allowance } = settled;
    const isFall = allowance.value - r * MILLIONTHS > rule.fallMargin;
    const holdUntilUs = isFall ? nowUs : allowance.holdUntilUs;
    return right(rule, { ...settled, allowance: { ...allowance, holdUntilUs } }, r, nowUs);
  },
};
