import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { restart } from "../../../../src/sim/engine.ts";

export const mutant: Mutant<typeof restart> = {
  about: "a gateway that restarts still knows what it has counted",
  breaks: ["ALG-C4"],
  replaces: "sim/engine.ts#restart",
  by: () => (_engine, node) => {
    node.serves = true;
    node.inFlight = 0;
  },
};
