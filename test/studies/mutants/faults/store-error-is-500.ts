import type { Decision } from "#src/limiter/core/decision.ts";
import type { RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type RefusedBy = (decision: Decision) => RefusalResponse;

export const mutant: Mutant<RefusedBy> = {
  about: "a store that is away is an internal error",
  breaks: ["ALG-C8"],
  found: "traefik 12091",
  replaces: "gateway/begin.ts#refusalBy",
  by: (right, decision) => {
    const refused = right(decision);
    return refused.reason === "store" ? { ...refused, status: 500 } : refused;
  },
};
