import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { commandsOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof commandsOf> = {
  about: "the sentinel writes log and mark before it answers",
  breaks: ["ALG-6", "ALG-C5"],
  replaces: "lab/sim/cost.ts#commandsOf",
  by: (right, level, part) =>
    level.algorithm === "sentinel" ? { ...right(level, part), zadd: 5 } : right(level, part),
};
