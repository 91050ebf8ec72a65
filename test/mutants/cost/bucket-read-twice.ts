import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { takeCost } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof takeCost> = {
  about: "a bucket is read again after it was written",
  breaks: ["ALG-C9"],
  replaces: "sim/cost.ts#takeCost",
  by: (right) => (levels, transaction) => {
    const { commands, inner } = right(levels, transaction);
    const more =
      levels.filter(({ algorithm }) => algorithm === "token_bucket" || algorithm === "gcra")
        .length * 1;
    return inner > 0 ? { commands, inner: inner + more } : { commands: commands + more, inner };
  },
};
