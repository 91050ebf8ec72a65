import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "each attempt is written to the log twice",
  breaks: ["ALG-11", "ALG-C7"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels, transaction) => {
    const { commands, inner } = right(levels, transaction);
    const more =
      levels.filter(({ algorithm, place }) => place === "store" && algorithm === "sliding_log")
        .length * 1;
    return inner > 0 ? { commands, inner: inner + more } : { commands: commands + more, inner };
  },
};
