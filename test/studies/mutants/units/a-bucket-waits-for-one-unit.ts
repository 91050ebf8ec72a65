import type { DEBT } from "#src/limiter/algorithms/token-bucket/memory.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(typeof DEBT)["evaluate"]> = {
  about: "the Retry-After of a bucket lasts until one unit fits",
  breaks: ["LIM-C19", "HDR-C1"],
  replaces: "limiter/algorithms/token-bucket/memory.ts#DEBT.evaluate",
  by: (right, bound, atUs, isWritten, units) =>
    right(bound, atUs, isWritten, units) === 0 ? 0 : Math.max(1, right(bound, atUs, isWritten, 1)),
};
