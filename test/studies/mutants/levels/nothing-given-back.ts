import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Undo } from "../private.ts";

export const mutant: Mutant<Undo> = {
  about: "what a level took stays taken when a later one refuses",
  breaks: ["LIM-C1"],
  replaces: "limiter/core/sequence.ts#refundBefore",
  by: function* () {},
};
