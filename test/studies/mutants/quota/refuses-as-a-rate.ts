import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusedBy } from "../private.ts";

export const mutant: Mutant<RefusedBy> = {
  about: "a spent quota is answered like a spent rate",
  breaks: ["LIM-C9", "MGT-C9"],
  replaces: "gateway/begin.ts#refusalBy",
  by: (right, decision) =>
    right(decision.refused === "quota" ? { ...decision, refused: "rate" } : decision),
};
