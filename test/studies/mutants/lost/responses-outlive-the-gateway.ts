import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { loseUnderWay } from "#src/lab/sim/lose.ts";

export const mutant: Mutant<typeof loseUnderWay> = {
  about: "a gateway that crashes still responds to the requests that it had",
  breaks: ["LIM-C18"],
  replaces: "lab/sim/lose.ts#loseUnderWay",
  by: (_right, _engine, node) => {
    node.generation++;
  },
};
