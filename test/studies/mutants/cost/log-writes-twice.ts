import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { commandsOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof commandsOf> = {
  about: "each attempt is written to the log twice",
  breaks: ["ALG-11", "ALG-C7"],
  replaces: "lab/sim/cost.ts#commandsOf",
  by: (right, level, part) =>
    level.algorithm === "sliding_log" ? { ...right(level, part), zadd: 2 } : right(level, part),
};
