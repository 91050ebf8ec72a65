import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "where no wait helps, a wait of one second is announced",
  breaks: ["HDR-C1", "LIM-C9"],
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) => right(decision) ?? (decision.refused === null ? null : 1),
};
