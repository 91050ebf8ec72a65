import type { endpointTable } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "a pattern may match in the middle of a path",
  breaks: ["EPT-1", "EPT-C1"],
  replaces: "limiter/core/resolve/endpoint.ts#endpointTable",
  by: (right, limits, matching) =>
    right(
      limits.map(({ pattern, ...rest }) => ({
        ...rest,
        pattern: { ...pattern, pieces: ["", ...pattern.pieces] },
      })),
      matching,
    ),
};
