import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { commandsOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof commandsOf> = {
  about: "the bounded log is counted by a command of its own",
  breaks: ["ALG-C9"],
  replaces: "lab/sim/cost.ts#commandsOf",
  by: (right, level, part) =>
    level.algorithm === "bounded_log" || level.algorithm === "sliding_window_counter"
      ? { ...right(level, part), llen: 1 }
      : right(level, part),
};
