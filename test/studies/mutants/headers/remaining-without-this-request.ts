import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { offer } from "#src/limiter/store/shown-budget.ts";

export const mutant: Mutant<typeof offer> = {
  about: "what remains is told as it was before this request",
  breaks: ["HDR-C2"],
  replaces: "limiter/store/shown-budget.ts#offer",
  by: (right, one, index, limit, left, resetUs, reply) =>
    right(one, index, limit, Math.min(limit, left + 1), resetUs, reply),
};
