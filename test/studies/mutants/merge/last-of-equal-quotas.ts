import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { LargestQuota } from "../private.ts";

export const mutant: Mutant<LargestQuota> = {
  about: "of quotas of the same size the last one counts",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#largestQuota",
  by: (right, known) => right(known.toReversed()),
};
