import type { EndpointLimit } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(a: EndpointLimit, b: EndpointLimit) => number> = {
  about: "where OAS wildcards are alike but for their names, the last in order comes first",
  breaks: ["EPT-C3"],
  replaces: "limiter/world/oas.ts#byEvaluation",
  by: (right, a, b) =>
    a.pattern.pieces.join("{}") === b.pattern.pieces.join("{}") ? -right(a, b) : right(a, b),
};
