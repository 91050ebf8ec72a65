import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MergeEndpoints } from "../private.ts";

export const mutant: Mutant<MergeEndpoints> = {
  about: "the last policy supplies the limits of endpoints",
  breaks: ["EPT-C5", "LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#mergeEndpoints",
  by: (right, lists, matching) => right(lists.slice(-1), matching),
};
