import { isUnlimited } from "#src/limiter/core/limit.ts";
import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "the policy with the largest rate supplies the limit, whatever its window",
  breaks: ["LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) => {
    const unlimited = candidates.filter(({ limit }) => isUnlimited(limit));
    return (
      right(unlimited) ?? candidates.toSorted((a, b) => b.limit.rate - a.limit.rate)[0] ?? null
    );
  },
};
