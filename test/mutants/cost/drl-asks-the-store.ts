import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "a share that the gateway counts is asked of the store too",
  breaks: ["ALG-1", "ALG-C4"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels, transaction) =>
    right(
      levels.map((level) => ({ ...level, place: "store" })),
      transaction,
    ),
};
