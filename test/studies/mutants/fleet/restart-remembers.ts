import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { restart } from "#src/lab/sim/engine.ts";

export const mutant: Mutant<typeof restart> = {
  about: "a gateway that restarts still knows what it has counted",
  breaks: ["ALG-C4"],
  replaces: "lab/sim/engine.ts#restart",
  by: (_right, _engine, node) => {
    node.serves = true;
    node.inFlight = 0;
  },
};
