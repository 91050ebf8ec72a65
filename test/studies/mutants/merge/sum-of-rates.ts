import { isUnlimited } from "#src/limiter/core/limit.ts";
import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "the rates of all policies add up over the window of the fastest",
  breaks: ["LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) => {
    const best = right(candidates);
    if (best === null || isUnlimited(best.limit) || candidates.length === 1) return best;
    const rate = candidates.reduce((sum, { limit }) => sum + limit.rate, 0);
    return { ...best, limit: { ...best.limit, rate } };
  },
};
