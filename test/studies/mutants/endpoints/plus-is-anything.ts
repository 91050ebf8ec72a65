import type { endpointTable } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "a plus in a pattern stands for any string",
  breaks: ["EPT-C1"],
  replaces: "limiter/core/resolve/endpoint.ts#endpointTable",
  by: (right, limits, matching) => {
    const split = limits.map(({ pattern, ...rest }) => ({
      ...rest,
      pattern: { ...pattern, pieces: pattern.pieces.flatMap((piece) => piece.split("+")) },
    }));
    return right(split, matching);
  },
};
