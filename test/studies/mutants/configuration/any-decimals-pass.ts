import type { hasAtMostSixDecimals } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof hasAtMostSixDecimals> = {
  about: "more than six decimals are accepted, and rounded",
  breaks: ["LIM-C2"],
  replaces: "limiter/core/limit.ts#hasAtMostSixDecimals",
  by: (_right, value) => Number.isFinite(value),
};
