import type { nextAllowance } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof nextAllowance> = {
  about: "Retry-After waits for the window, though the next step would let the request pass sooner",
  breaks: ["HDR-C1"],
  replaces: "limiter/core/smoothing.ts#nextAllowance",
  by: (_right, _rule, { value }) => value,
};
