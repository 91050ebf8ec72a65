import { EXACT_MATCHING } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MergeEndpoints } from "../private.ts";

export const mutant: Mutant<MergeEndpoints> = {
  about:
    "endpoint limits of policies merge by their text, whatever endpoint_matching takes for one",
  breaks: ["EPT-C5", "EPT-C7", "LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#mergeEndpoints",
  by: (right, lists) => right(lists, EXACT_MATCHING),
};
