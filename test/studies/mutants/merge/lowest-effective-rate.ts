import { compareEffectiveRate } from "#src/limiter/core/limit.ts";
import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "the slowest policy supplies the limit, to be on the safe side",
  breaks: ["LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (_right, candidates) =>
    candidates.toSorted((a, b) => compareEffectiveRate(a.limit, b.limit))[0] ?? null,
};
