import { spend } from "../../../../src/core/algorithm/counter.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { COUNTER } from "../../../../src/store/cell-budgets.ts";

export const mutant: Mutant<(typeof COUNTER)["writeRefused"]> = {
  about: "what a fixed window refuses is counted in it",
  breaks: ["ALG-8", "ALG-C3"],
  replaces: "store/cell-budgets.ts#COUNTER.writeRefused",
  by:
    () =>
    ({ table, row }, atUs) => {
      spend(table.cells, row, table.perUs, atUs, false);
    },
};
