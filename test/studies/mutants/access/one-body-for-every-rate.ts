import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusedBy } from "../private.ts";

export const mutant: Mutant<RefusedBy> = {
  about: "a refusal by an API reads like one by the key",
  breaks: ["MGT-C9"],
  replaces: "gateway/begin.ts#refusalBy",
  by: (right, decision) =>
    right(decision.refused === "rate" ? { ...decision, level: null } : decision),
};
