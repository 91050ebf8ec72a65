import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "Retry-After leaves out what is less than a second",
  breaks: ["HDR-C1"],
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) => {
    const seconds = right(decision);
    return seconds === null ? null : Math.max(1, Math.floor(decision.retryAfterUs / 1_000_000));
  },
};
