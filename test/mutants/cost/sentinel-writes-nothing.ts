import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { billOf } from "../../../src/sim/cost.ts";

export const mutant: Mutant<typeof billOf> = {
  about: "the sentinel sets its mark in the gateway and writes nothing",
  breaks: ["ALG-6", "ALG-C5"],
  replaces: "sim/cost.ts#billOf",
  by: (right) => (prepared, transaction) => ({
    ...right(prepared, transaction),
    mark: { commands: 0, inner: 0 },
  }),
};
