import { spend } from "../../../../src/core/algorithm/counter.ts";
import { client } from "../../../../src/core/client.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { COUNTER } from "../../../../src/store/cell-budgets.ts";
import { open } from "../../../../src/store/table.ts";

export const mutant: Mutant<(typeof COUNTER)["writeRefused"]> = {
  about: "each refusal of a fixed window leaves a record of its own",
  breaks: ["ALG-9"],
  replaces: "store/cell-budgets.ts#COUNTER.writeRefused",
  by: () => {
    let refusals = 0;
    return ({ table }, atUs) => {
      const row = open(table, client(`refused/${refusals++}`), atUs);
      spend(table.cells, row, table.perUs, atUs, false);
    };
  },
};
