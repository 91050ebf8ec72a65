import type { COUNTER } from "#src/limiter/algorithms/fixed-window/memory.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(typeof COUNTER)["evaluate"]> = {
  about: "a cost above the whole window has a finite Retry-After",
  breaks: ["LIM-C19"],
  replaces: "limiter/algorithms/fixed-window/memory.ts#COUNTER.evaluate",
  by: (right, bound, atUs, isWritten, units) => {
    const waitUs = right(bound, atUs, isWritten, units);
    return Number.isFinite(waitUs) || units === 1 ? waitUs : bound.table.perUs;
  },
};
