import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusedBy } from "../private.ts";

export const mutant: Mutant<RefusedBy> = {
  about: "a spent quota is told in the words of a spent rate",
  breaks: ["MGT-C9"],
  replaces: "gateway/begin.ts#refusalBy",
  by: (right, decision) => {
    const refused = right(decision);
    return refused.reason === "quota" ? { ...refused, message: "Rate Limit Exceeded" } : refused;
  },
};
