import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "the smoothing of the policy that wins is lost",
  breaks: ["LIM-C4", "SMO-7"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) => {
    const best = right(candidates);
    return best?.limit.smoothing ? { ...best, limit: { ...best.limit, smoothing: null } } : best;
  },
};
