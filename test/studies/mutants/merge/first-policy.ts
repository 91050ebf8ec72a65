import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "the first policy of the list supplies the limit",
  breaks: ["LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) => right(candidates.slice(0, 1)),
};
