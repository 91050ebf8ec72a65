import type { endpointTable } from "../../../src/core/resolve/endpoint.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "paths are matched whatever the case of their letters",
  breaks: ["EPT-C1"],
  replaces: "core/resolve/endpoint.ts#endpointTable",
  by: (right) => (limits) => {
    const lower = limits.map(({ pattern, ...rest }) => ({
      ...rest,
      pattern: { ...pattern, pieces: pattern.pieces.map((piece) => piece.toLowerCase()) },
    }));
    const table = right(lower);
    return { find: (method, path) => table.find(method, path.toLowerCase()) };
  },
};
