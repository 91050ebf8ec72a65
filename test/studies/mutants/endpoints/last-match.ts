import type { endpointTable } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "the last entry that matches counts",
  breaks: ["EPT-3"],
  replaces: "limiter/core/resolve/endpoint.ts#endpointTable",
  by: (right, limits, matching) => {
    const table = right(limits.toReversed(), matching);
    return {
      find(method, path) {
        const found = table.find(method, path);
        return found < 0 ? -1 : limits.length - 1 - found;
      },
    };
  },
};
