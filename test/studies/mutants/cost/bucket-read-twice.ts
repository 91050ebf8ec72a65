import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { commandsOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof commandsOf> = {
  about: "a bucket is read again after it was written",
  breaks: ["ALG-C9"],
  replaces: "lab/sim/cost.ts#commandsOf",
  by: (right, level, part) =>
    level.algorithm === "token_bucket" || level.algorithm === "gcra"
      ? { ...right(level, part), get: 1 }
      : right(level, part),
};
