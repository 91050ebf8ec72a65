import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { LargestQuota } from "../private.ts";

export const mutant: Mutant<LargestQuota> = {
  about: "a policy with unlimited quota loses to any number",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#largestQuota",
  by: (right, known) =>
    right(known.filter(({ quota }) => quota !== null && quota.max > 0)) ?? right(known),
};
