import { spend } from "#src/limiter/algorithms/token-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { DEBT } from "#src/limiter/algorithms/token-bucket/memory.ts";

export const mutant: Mutant<(typeof DEBT)["writeRefused"]> = {
  about: "a refused request takes from the bucket too",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/token-bucket/memory.ts#DEBT.writeRefused",
  by: (_right, { level, table, row }, atUs, _, units) => {
    spend(table.cells, row, level.budget.limit.rate, table.perUs, atUs, units);
  },
};
