import { millionths } from "#src/limiter/core/limit.ts";
import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { smoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof smoothingRule> = {
  about: "a bound between two millionths, above which an allowance falls, is rounded up",
  breaks: ["SMO-4"],
  replaces: "limiter/core/smoothing.ts#smoothingRule",
  by: (right, limit) => {
    const rule = right(limit);
    if (rule === null) return null;
    const exact = rule.step * (MILLIONTHS + millionths(limit.smoothing!.trigger));
    return { ...rule, fallMargin: Math.ceil(exact / MILLIONTHS) };
  },
};
