import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "the policy with the shortest window supplies the limit",
  breaks: ["LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (_right, candidates) =>
    candidates.toSorted((a, b) => a.limit.perUs - b.limit.perUs)[0] ?? null,
};
