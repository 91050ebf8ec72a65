import type { shareOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof shareOf> = {
  about: "under DRL each gateway gives out the whole rate",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/select.ts#shareOf",
  by: (right, rate) => right(rate, 1),
};
