import type { RequestOutcome } from "#src/gateway/outcome.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Spent = { readonly before: number; readonly all: number };
type SpentAt = (engine: never, node: never, outcome: RequestOutcome) => Spent;

export const mutant: Mutant<SpentAt> = {
  about: "who is refused causes another read, of the time that is left",
  breaks: ["ALG-9"],
  replaces: "lab/sim/spent.ts#spentAt",
  by: (right, engine, node, outcome) => {
    const { before, all } = right(engine, node, outcome);
    const more = outcome.refused === null ? 0 : 1;
    return { before: before + more, all: all + more };
  },
};
