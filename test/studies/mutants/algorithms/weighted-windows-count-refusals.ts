import { spend } from "#src/limiter/algorithms/sliding-window-counter/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { TWO_WINDOWS } from "#src/limiter/algorithms/sliding-window-counter/memory.ts";

export const mutant: Mutant<(typeof TWO_WINDOWS)["writeRefused"]> = {
  about: "two weighted windows count what they refuse",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/sliding-window-counter/memory.ts#TWO_WINDOWS.writeRefused",
  by: (_right, { table, row }, atUs, _, units) => {
    spend(table.cells, row, table.perUs, atUs, units);
  },
};
