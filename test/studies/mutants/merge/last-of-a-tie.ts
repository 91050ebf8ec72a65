import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "of policies that are as fast as each other the last one wins",
  breaks: ["LIM-C4"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) =>
    right(candidates.map((each) => ({ ...each, position: -each.position }))),
};
