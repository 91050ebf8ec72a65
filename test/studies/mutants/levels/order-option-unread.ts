import type { readOptions } from "#src/limiter/world/options.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readOptions> = {
  about: "limit_order has no effect",
  breaks: ["LIM-C1"],
  replaces: "limiter/world/options.ts#readOptions",
  by: (right, place) => ({ ...right(place), limitOrder: "api_first" }),
};
