import type { retryAfterSeconds } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterSeconds> = {
  about: "a quota that is used up does not say when it is renewed",
  breaks: ["HDR-C1"],
  found: "tyk 8191",
  replaces: "limiter/core/decision.ts#retryAfterSeconds",
  by: (right, decision) => (decision.refused === "quota" ? null : right(decision)),
};
