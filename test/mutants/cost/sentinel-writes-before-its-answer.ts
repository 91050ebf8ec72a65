import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "the sentinel writes log and mark before it answers",
  breaks: ["ALG-6", "ALG-C5"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels, transaction) => {
    const { commands, inner } = right(levels, transaction);
    const more =
      levels.filter(({ algorithm, place }) => place === "store" && algorithm === "sentinel")
        .length * 5;
    return inner > 0 ? { commands, inner: inner + more } : { commands: commands + more, inner };
  },
};
