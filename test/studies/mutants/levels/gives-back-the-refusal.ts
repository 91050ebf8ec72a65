import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Undo } from "../private.ts";

export const mutant: Mutant<Undo> = {
  about: "the level that refused gives back too, which takes its attempt out of its log",
  breaks: ["LIM-C1", "ALG-3"],
  replaces: "limiter/core/sequence.ts#refundBefore",
  by: (right, sequence, before) => right(sequence, before + 1),
};
