import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "Retry-After is a second longer than needed",
  breaks: ["HDR-C1"],
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) => {
    const seconds = right(decision);
    return seconds === null ? null : seconds + 1;
  },
};
