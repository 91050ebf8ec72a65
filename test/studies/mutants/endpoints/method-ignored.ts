import type { endpointTable } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "an entry counts for every method",
  breaks: ["EPT-1"],
  replaces: "limiter/core/resolve/endpoint.ts#endpointTable",
  by: (right, limits, matching) => {
    const table = right(
      limits.map((limit) => ({ ...limit, method: "GET" })),
      matching,
    );
    return { find: (_method, path) => table.find("GET", path) };
  },
};
