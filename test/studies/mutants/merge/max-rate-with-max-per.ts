import { isUnlimited } from "#src/limiter/core/limit.ts";
import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "the largest rate is combined with the longest window, as it used to be",
  breaks: ["LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) => {
    const best = right(candidates);
    if (best === null || isUnlimited(best.limit) || candidates.length === 1) return best;
    const rate = Math.max(...candidates.map(({ limit }) => limit.rate));
    const perUs = micros(Math.max(...candidates.map(({ limit }) => limit.perUs)));
    return { ...best, limit: { ...best.limit, rate, perUs } };
  },
};
