import { EXACT_MATCHING } from "#src/limiter/core/resolve/endpoint.ts";
import type { readOptions } from "#src/limiter/world/options.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readOptions> = {
  about: "endpoint_matching has no effect",
  breaks: ["EPT-C7"],
  replaces: "limiter/world/options.ts#readOptions",
  by: (right, place) => ({
    ...right(place),
    endpointMatching: EXACT_MATCHING.endpointMatching,
  }),
};
