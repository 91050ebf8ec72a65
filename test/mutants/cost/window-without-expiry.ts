import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "the expiry of a fixed window is left out",
  breaks: ["ALG-8"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels, transaction) => {
    const { commands, inner } = right(levels, transaction);
    const more = levels.filter(({ algorithm }) => algorithm === "fixed_window").length * -1;
    return inner > 0 ? { commands, inner: inner + more } : { commands: commands + more, inner };
  },
};
