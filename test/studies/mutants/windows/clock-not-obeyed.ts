import type { writeCount } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof writeCount> = {
  about: "windows start with the first request, also where they are to follow the clock",
  breaks: ["ALG-C3"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#writeCount",
  by: (right, cells, row, perUs, nowUs, _, count) => right(cells, row, perUs, nowUs, false, count),
};
