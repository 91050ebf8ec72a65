import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusedBy } from "../private.ts";

export const mutant: Mutant<RefusedBy> = {
  about: "a spent quota is told with 429",
  breaks: ["MGT-C9", "LIM-C9"],
  replaces: "gateway/begin.ts#refusalBy",
  by: (right, decision) => {
    const refused = right(decision);
    return refused.reason === "quota" ? { ...refused, status: 429 } : refused;
  },
};
