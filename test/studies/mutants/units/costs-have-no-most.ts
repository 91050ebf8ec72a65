import type { parseCost } from "#src/limiter/core/cost.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof parseCost> = {
  about: "a cost above 1000 is accepted",
  breaks: ["LIM-C19"],
  replaces: "limiter/core/cost.ts#parseCost",
  by: (right, text) => (/^[1-9]\d{3}$/.test(text) ? Number(text) : right(text)),
};
