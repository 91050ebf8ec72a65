import type { EndpointLimit } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(a: EndpointLimit, b: EndpointLimit) => number> = {
  about: "OAS operations with wildcards are tried before those without",
  breaks: ["EPT-6"],
  replaces: "limiter/world/oas.ts#byEvaluation",
  by: (right, a, b) => b.pattern.pieces.length - a.pattern.pieces.length || right(a, b),
};
