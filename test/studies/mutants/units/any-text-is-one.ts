import type { parseCost } from "#src/limiter/core/cost.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof parseCost> = {
  about: "a header that is no cost counts as one unit",
  breaks: ["LIM-C19"],
  replaces: "limiter/core/cost.ts#parseCost",
  by: (right, text) => right(text) ?? 1,
};
