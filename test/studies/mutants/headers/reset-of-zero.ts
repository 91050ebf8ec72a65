import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { showRefusal } from "#src/limiter/store/shown-budget.ts";

export const mutant: Mutant<typeof showRefusal> = {
  about: "the reset of a budget that is used up is 0",
  breaks: ["HDR-C2"],
  found: "apisix 9964",
  replaces: "limiter/store/shown-budget.ts#showRefusal",
  by: (right, one, index, left, _resetUs, atUs, reply) => right(one, index, left, 0, atUs, reply),
};
