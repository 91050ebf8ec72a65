import type { EndpointLimit } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(a: EndpointLimit, b: EndpointLimit) => number> = {
  about: "OAS wildcards with equally long beginnings are tried in the order of the file",
  breaks: ["EPT-C3"],
  replaces: "limiter/world/oas.ts#byEvaluation",
  by: (right, a, b) =>
    a.pattern.pieces.length > 1 && a.pattern.pieces[0]?.length === b.pattern.pieces[0]?.length
      ? 0
      : right(a, b),
};
