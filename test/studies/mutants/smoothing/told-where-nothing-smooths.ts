import type { conclude } from "#src/limiter/core/decision.ts";
import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof conclude> = {
  about: "steps of an allowance are told also where the algorithm has none",
  breaks: ["SMO-C5", "EVT-1"],
  replaces: "limiter/core/decision.ts#conclude",
  by: (right, levels, reply, fallback) => {
    const decision = right(levels, reply, fallback);
    const { level, refused, resetUs } = decision;
    const smoothing = level?.rule === null ? level.budget.limit.smoothing : null;
    if (level === null || smoothing === null || refused === null) return decision;
    const { threshold, step } = smoothing;
    const atUs = micros(resetUs);
    const change = { event: "RateLimitSmoothingUp", atUs, allowance: threshold + step } as const;
    return { ...decision, changes: [{ level, change }] };
  },
};
