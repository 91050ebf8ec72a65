import type { COUNTER } from "#src/limiter/algorithms/fixed-window/memory.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(typeof COUNTER)["evaluate"]> = {
  about: "a window admits a request where one of its units fits",
  breaks: ["LIM-C19"],
  replaces: "limiter/algorithms/fixed-window/memory.ts#COUNTER.evaluate",
  by: (right, bound, atUs, isWritten) => right(bound, atUs, isWritten, 1),
};
