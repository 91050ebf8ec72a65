import { spend } from "../../../../src/core/algorithm/debt.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { DEBT } from "../../../../src/store/cell-budgets.ts";

export const mutant: Mutant<(typeof DEBT)["writeRefused"]> = {
  about: "a refused request takes from the bucket too",
  breaks: ["ALG-C9"],
  replaces: "store/cell-budgets.ts#DEBT.writeRefused",
  by:
    () =>
    ({ level, table, row }, atUs) => {
      spend(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
    },
};
