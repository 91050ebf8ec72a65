import { spend } from "#src/limiter/algorithms/fixed-window/rule.ts";
import { client } from "#src/limiter/core/client.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { COUNTER } from "#src/limiter/algorithms/fixed-window/memory.ts";
import { open } from "#src/limiter/store/table.ts";

let refusals = 0;

export const mutant: Mutant<(typeof COUNTER)["writeRefused"]> = {
  about: "each refusal of a fixed window leaves a record of its own",
  breaks: ["ALG-9"],
  replaces: "limiter/algorithms/fixed-window/memory.ts#COUNTER.writeRefused",
  by: (_right, { table }, atUs, _, units) => {
    const row = open(table, client(`refused/${refusals++}`), atUs);
    spend(table.cells, row, table.perUs, atUs, false, units);
  },
};
