import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { wholeAllowance } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wholeAllowance> = {
  about: "an allowance with a fraction is rounded to the next whole number",
  breaks: ["ALG-C2", "SMO-5"],
  replaces: "limiter/core/smoothing.ts#wholeAllowance",
  by: (_right, value) => Math.round(value / MILLIONTHS),
};
