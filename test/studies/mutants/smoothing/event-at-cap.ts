import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { step } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof step> = {
  about: "a step that the rate leaves no room for is told all the same",
  breaks: ["SMO-C3", "EVT-1"],
  replaces: "limiter/core/smoothing.ts#step",
  by: (right, rule, settled, r, nowUs) => {
    const moved = right(rule, settled, r, nowUs);
    const { value, holdUntilUs } = settled.allowance;
    const isAtCap = value === rule.ceiling && holdUntilUs <= nowUs && moved === settled;
    if (!isAtCap || value - r * MILLIONTHS >= rule.riseMargin) return moved;
    const allowance = value / MILLIONTHS;
    const event = { event: "RateLimitSmoothingUp", atUs: nowUs, allowance } as const;
    return { ...moved, changes: [...moved.changes, event] };
  },
};
