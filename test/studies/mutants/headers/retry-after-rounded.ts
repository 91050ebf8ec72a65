import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "Retry-After is rounded to the nearest second",
  breaks: ["HDR-C1"],
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) =>
    right(decision) === null ? null : Math.max(1, Math.round(decision.retryAfterUs / 1_000_000)),
};
