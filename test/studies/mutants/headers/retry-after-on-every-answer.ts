import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "an admitted request is told to wait too",
  breaks: ["HDR-C1"],
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) => (decision.refused === null ? 1 : right(decision)),
};
