import type { costOf } from "#src/limiter/core/cost.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof costOf> = {
  about: "each request costs one unit, whatever its header states",
  breaks: ["LIM-C19"],
  replaces: "limiter/core/cost.ts#costOf",
  by: () => 1,
};
