import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "a step that changes nothing begins a hold-off",
  breaks: ["SMO-C3"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => {
    const moved = right(rule, settled, r, nowUs);
    const { value, holdUntilUs } = settled.allowance;
    const isHeld = value > rule.threshold && holdUntilUs <= nowUs && moved === settled;
    if (!isHeld) return moved;
    return { ...moved, allowance: { ...moved.allowance, holdUntilUs: nowUs + rule.delayUs } };
  },
};
