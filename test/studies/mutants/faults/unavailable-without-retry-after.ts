import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "who is denied because the store is away is not told when to come back",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) => (decision.refused === "store" ? null : right(decision)),
};
