import { spend } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { COUNTER } from "#src/limiter/algorithms/fixed-window/memory.ts";

export const mutant: Mutant<(typeof COUNTER)["writeRefused"]> = {
  about: "what a fixed window refuses is counted in it",
  breaks: ["ALG-8", "ALG-C3"],
  replaces: "limiter/algorithms/fixed-window/memory.ts#COUNTER.writeRefused",
  by: (_right, { table, row }, atUs, _, units) => {
    spend(table.cells, row, table.perUs, atUs, false, units);
  },
};
