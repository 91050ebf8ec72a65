import type { EndpointLimit } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(a: EndpointLimit, b: EndpointLimit) => number> = {
  about: "OAS operations are tried in the order of the file",
  breaks: ["EPT-6"],
  replaces: "limiter/world/oas.ts#byEvaluation",
  by: () => 0,
};
