import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { restartEmpty } from "#src/lab/sim/store-state.ts";

export const mutant: Mutant<typeof restartEmpty> = {
  about: "a store that comes back empty is taken for one that remembers",
  breaks: ["LIM-C11"],
  replaces: "lab/sim/store-state.ts#restartEmpty",
  by: () => {},
};
