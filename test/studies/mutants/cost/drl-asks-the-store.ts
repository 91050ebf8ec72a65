import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { billOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof billOf> = {
  about: "a share that the gateway counts is asked of the store too",
  breaks: ["ALG-1", "ALG-C4"],
  replaces: "lab/sim/cost.ts#billOf",
  by: (right, levels, options, fate) =>
    right(
      levels.map((level) => ({ ...level, place: "store" })),
      options,
      fate,
    ),
};
