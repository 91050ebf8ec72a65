import type { smoothingRule } from "#src/limiter/core/smoothing.ts";
import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof smoothingRule> = {
  about: "no hold-off separates the steps of the allowance",
  breaks: ["SMO-9", "SMO-C1"],
  replaces: "limiter/core/smoothing.ts#smoothingRule",
  by: (right, limit) => {
    const rule = right(limit);
    return rule && { ...rule, delayUs: micros(0) };
  },
};
