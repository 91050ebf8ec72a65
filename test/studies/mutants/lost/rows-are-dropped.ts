import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { lose } from "#src/lab/sim/lose.ts";

export const mutant: Mutant<typeof lose> = {
  about: "a request without a response leaves no row in the history",
  breaks: ["LIM-C18"],
  replaces: "lab/sim/lose.ts#lose",
  by: () => {},
};
