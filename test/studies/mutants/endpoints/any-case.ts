import type { endpointTable } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "paths are matched whatever the case of their letters",
  breaks: ["EPT-C1"],
  replaces: "limiter/core/resolve/endpoint.ts#endpointTable",
  by: (right, limits, matching) =>
    right(limits, {
      ...matching,
      endpointMatching: { ...matching.endpointMatching, letterCase: "same" },
    }),
};
