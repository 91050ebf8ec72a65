import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SENTINEL } from "#src/limiter/algorithms/sentinel/memory.ts";

export const mutant: Mutant<(typeof SENTINEL)["evaluate"]> = {
  about: "Retry-After of the sentinel leaves out the mark that the refused attempt will set",
  breaks: ["HDR-C1", "ALG-3"],
  replaces: "limiter/algorithms/sentinel/memory.ts#SENTINEL.evaluate",
  by: (right, one, atUs, _, units) => right(one, atUs, false, units),
};
