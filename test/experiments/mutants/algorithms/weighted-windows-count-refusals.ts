import { spend } from "../../../../src/core/algorithm/two-windows.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { TWO_WINDOWS } from "../../../../src/store/cell-budgets.ts";

export const mutant: Mutant<(typeof TWO_WINDOWS)["writeRefused"]> = {
  about: "two weighted windows count what they refuse",
  breaks: ["ALG-C9"],
  replaces: "store/cell-budgets.ts#TWO_WINDOWS.writeRefused",
  by:
    () =>
    ({ table, row }, atUs) => {
      spend(table.cells, row, table.perUs, atUs);
    },
};
