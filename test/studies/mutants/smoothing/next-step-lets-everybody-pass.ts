import type { nextAllowance } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof nextAllowance> = {
  about: "Retry-After says when the hold-off ends, also where one step is not enough",
  breaks: ["HDR-C1"],
  replaces: "limiter/core/smoothing.ts#nextAllowance",
  by: (_right, _rule, { value }) => value * 1_000,
};
