import type { parseCost } from "../../../../src/core/cost.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof parseCost> = {
  about: "a header that is no cost counts as one unit",
  breaks: ["LIM-C19"],
  replaces: "core/cost.ts#parseCost",
  by: (right) => (text) => right(text) ?? 1,
};
