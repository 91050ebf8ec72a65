import { clear } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { write } from "#src/limiter/algorithms/sliding-log/memory.ts";

export const mutant: Mutant<typeof write> = {
  about: "the bounded log is cut to the new rate at once when a limit is raised",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/sliding-log/memory.ts#write",
  by: (right, one, atUs, units) => {
    const known = one.table.bounds.get(one.row) ?? one.level.capacity;
    const isBounded = one.level.algorithm === "bounded_log";
    if (isBounded && known < one.level.capacity) clear(one.table.stamps, one.row);
    right(one, atUs, units);
  },
};
