import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusedBy } from "../private.ts";

export const mutant: Mutant<RefusedBy> = {
  about: "a spent rate is told in other words",
  breaks: ["MGT-C9"],
  replaces: "gateway/begin.ts#refusalBy",
  by: (right, decision) => {
    const refused = right(decision);
    return refused.reason === "rate" ? { ...refused, message: "Too Many Requests" } : refused;
  },
};
