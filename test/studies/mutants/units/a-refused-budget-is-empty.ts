import type { showRefusal } from "#src/limiter/store/shown-budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof showRefusal> = {
  about: "a refusal reports that no unit is left",
  breaks: ["LIM-C19", "HDR-C2"],
  replaces: "limiter/store/shown-budget.ts#showRefusal",
  by: (right, bound, index, _, resetUs, atUs, reply) =>
    right(bound, index, 0, resetUs, atUs, reply),
};
