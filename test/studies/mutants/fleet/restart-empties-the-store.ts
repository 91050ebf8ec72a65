import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { restart } from "#src/lab/sim/engine.ts";
import { restartEmpty } from "#src/lab/sim/store-state.ts";

export const mutant: Mutant<typeof restart> = {
  about: "a gateway that restarts empties the budgets of all",
  breaks: ["ALG-2", "LIM-C11"],
  replaces: "lab/sim/engine.ts#restart",
  by: (right, engine, node) => {
    restartEmpty(engine.remote);
    for (const { gateway } of engine.nodes) gateway.limiter.prepared = [];
    right(engine, node);
  },
};
