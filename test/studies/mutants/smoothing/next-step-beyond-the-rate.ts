import type { nextAllowance } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof nextAllowance> = {
  about: "Retry-After hopes for a step for which the rate leaves no room",
  breaks: ["HDR-C1", "SMO-C3"],
  replaces: "limiter/core/smoothing.ts#nextAllowance",
  by: (_right, rule, { value }) => value + rule.step,
};
