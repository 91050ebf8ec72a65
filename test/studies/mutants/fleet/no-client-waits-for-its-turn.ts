import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { takesTurns } from "#src/lab/sim/turns.ts";

export const mutant: Mutant<typeof takesTurns> = {
  about: "a client that sends one request at a time sends all at once",
  breaks: ["ALG-10"],
  replaces: "lab/sim/turns.ts#takesTurns",
  by: () => false,
};
