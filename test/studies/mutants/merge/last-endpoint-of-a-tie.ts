import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MergeEndpoints } from "../private.ts";

export const mutant: Mutant<MergeEndpoints> = {
  about: "of endpoint limits that are as fast as each other the last one wins",
  breaks: ["EPT-C5", "LIM-C4"],
  replaces: "limiter/core/resolve/merge.ts#mergeEndpoints",
  by: (right, lists, matching) => right(lists.toReversed(), matching),
};
