import type { COUNTER } from "#src/limiter/algorithms/fixed-window/memory.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(typeof COUNTER)["spend"]> = {
  about: "a quota counts a request as one unit",
  breaks: ["LIM-C19"],
  replaces: "limiter/algorithms/fixed-window/memory.ts#COUNTER.spend",
  by: (right, bound, index, atUs, reply, units) =>
    right(bound, index, atUs, reply, bound.isQuota ? 1 : units),
};
