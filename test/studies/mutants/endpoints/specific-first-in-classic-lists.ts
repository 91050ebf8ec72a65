import type { endpointTable } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof endpointTable> = {
  about: "entries without wildcards are tried first, whatever their order in the list",
  breaks: ["EPT-3"],
  replaces: "limiter/core/resolve/endpoint.ts#endpointTable",
  by: (right, limits, matching) => {
    const wildcards = (index: number): number => limits[index]!.pattern.pieces.length;
    const order = [...limits.keys()].toSorted((a, b) => wildcards(a) - wildcards(b));
    const table = right(
      order.map((index) => limits[index]!),
      matching,
    );
    return { find: (method, path) => order[table.find(method, path)] ?? -1 };
  },
};
