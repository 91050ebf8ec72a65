import type { smoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof smoothingRule> = {
  about: "the allowance stays where a spike has raised it, until a window is empty",
  breaks: ["SMO-4"],
  replaces: "limiter/core/smoothing.ts#smoothingRule",
  by: (right, limit) => {
    const rule = right(limit);
    return rule && { ...rule, fallMargin: Number.POSITIVE_INFINITY };
  },
};
