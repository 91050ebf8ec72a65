import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "Retry-After is 0 where less than a second is left",
  breaks: ["HDR-C1"],
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) =>
    right(decision) === null ? null : Math.floor(decision.retryAfterUs / 1_000_000),
};
