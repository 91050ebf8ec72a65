import type { endpointTable } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "a slash at the end of a path is ignored",
  breaks: ["EPT-C1"],
  replaces: "limiter/core/resolve/endpoint.ts#endpointTable",
  by: (right, limits, matching) =>
    right(limits, {
      ...matching,
      endpointMatching: { ...matching.endpointMatching, trailingSlash: "same" },
    }),
};
