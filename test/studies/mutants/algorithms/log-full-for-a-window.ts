import type { Mutant } from "#src/studies/mutants/mutant.ts";
import { write, type PLAIN_LOG } from "#src/limiter/algorithms/sliding-log/memory.ts";

export const mutant: Mutant<(typeof PLAIN_LOG)["writeRefused"]> = {
  about: "a log that has refused is shut for a whole window, whenever its attempts leave it",
  breaks: ["ALG-4"],
  replaces: "limiter/algorithms/sliding-log/memory.ts#PLAIN_LOG.writeRefused",
  by: (_right, one, atUs, _, units) => {
    for (let i = 0; i < one.level.capacity; i++) write(one, atUs, units);
  },
};
