import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { markCost } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof markCost> = {
  about: "the sentinel sets its mark in the gateway and writes nothing",
  breaks: ["ALG-6", "ALG-C5"],
  replaces: "lab/sim/cost.ts#markCost",
  by: () => ({ commands: 0, inner: 0 }),
};
