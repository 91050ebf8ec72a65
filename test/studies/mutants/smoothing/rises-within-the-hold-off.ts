import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "the hold-off holds falls back, and no rises",
  breaks: ["SMO-C1", "SMO-9"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => {
    const { allowance } = settled;
    const isRise = allowance.value - r * MILLIONTHS < rule.riseMargin;
    const holdUntilUs = isRise ? nowUs : allowance.holdUntilUs;
    return right(rule, { ...settled, allowance: { ...allowance, holdUntilUs } }, r, nowUs);
  },
};
