import { isUnlimited } from "#src/limiter/core/limit.ts";
import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "a winner without smoothing takes that of a policy that lost",
  breaks: ["LIM-C4"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) => {
    const best = right(candidates);
    if (best === null || isUnlimited(best.limit) || candidates.length === 1) return best;
    const smoothing = candidates.flatMap(({ limit }) => limit.smoothing ?? [])[0] ?? null;
    if (best.limit.smoothing !== null || smoothing === null) return best;
    return { ...best, limit: { ...best.limit, smoothing } };
  },
};
