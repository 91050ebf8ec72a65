import type { Outcome } from "../../../src/gateway/handle.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { Engine, Node } from "../../../src/sim/engine.ts";

type SpentAt = (
  engine: Engine,
  node: Node,
  outcome: Outcome,
) => { readonly before: number; readonly all: number };

export const mutant: Mutant<SpentAt> = {
  about: "who is refused causes another read, of the time that is left",
  breaks: ["ALG-9"],
  replaces: "sim/request.ts#spentAt",
  by: (right) => (engine, node, outcome) => {
    const { before, all } = right(engine, node, outcome);
    const more = outcome.refused === null ? 0 : 1;
    return { before: before + more, all: all + more };
  },
};
