import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PLAIN_LOG } from "#src/limiter/algorithms/sliding-log/memory.ts";

export const mutant: Mutant<(typeof PLAIN_LOG)["evaluate"]> = {
  about: "Retry-After of a log leaves out that the refused attempt is written to it",
  breaks: ["HDR-C1", "ALG-3"],
  replaces: "limiter/algorithms/sliding-log/memory.ts#PLAIN_LOG.evaluate",
  by: (right, one, atUs, _, units) => right(one, atUs, false, units),
};
