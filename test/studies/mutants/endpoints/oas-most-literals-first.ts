import type { EndpointLimit } from "#src/limiter/core/config.ts";
import { isExact } from "#src/limiter/world/pattern.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(a: EndpointLimit, b: EndpointLimit) => number> = {
  about: "among OAS wildcards the one with the most literal text comes first",
  breaks: ["EPT-C3"],
  replaces: "limiter/world/oas.ts#byEvaluation",
  by: (right, a, b) =>
    isExact(a.pattern) || isExact(b.pattern)
      ? right(a, b)
      : b.pattern.pieces.join("").length - a.pattern.pieces.join("").length || right(a, b),
};
