import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "the bounded log is counted by a command of its own",
  breaks: ["ALG-C9"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels, transaction) => {
    const { commands, inner } = right(levels, transaction);
    const more =
      levels.filter(
        ({ algorithm }) => algorithm === "bounded_log" || algorithm === "sliding_window_counter",
      ).length * 1;
    return inner > 0 ? { commands, inner: inner + more } : { commands: commands + more, inner };
  },
};
