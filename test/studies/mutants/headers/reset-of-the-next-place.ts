import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { offer } from "#src/limiter/store/shown-budget.ts";

export const mutant: Mutant<typeof offer> = {
  about: "the reset says when the next request passes, though there is room now",
  breaks: ["HDR-C2"],
  replaces: "limiter/store/shown-budget.ts#offer",
  by: (right, one, index, limit, left, resetUs, reply) =>
    right(one, index, limit, left, left > 0 ? 0 : resetUs, reply),
};
