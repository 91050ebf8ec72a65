import { COUNTER_WIDTH } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { COUNTER } from "#src/limiter/algorithms/fixed-window/memory.ts";

export const mutant: Mutant<(typeof COUNTER)["writeRefused"]> = {
  about: "what a fixed window refuses begins it anew, so that who keeps calling is never let in",
  breaks: ["ALG-10", "ALG-C3"],
  found: "tyk 3102",
  replaces: "limiter/algorithms/fixed-window/memory.ts#COUNTER.writeRefused",
  by: (_right, { table, row }, atUs) => {
    table.cells[row * COUNTER_WIDTH] = atUs;
  },
};
