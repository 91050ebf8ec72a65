import type { spend } from "#src/limiter/algorithms/leaky-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof spend> = {
  about: "a leaky bucket counts the last request alone",
  breaks: ["ALG-C10"],
  replaces: "limiter/algorithms/leaky-bucket/rule.ts#spend",
  by: (right, cells, row, rate, perUs, nowUs, units) => {
    cells.fill(0, row * 3, row * 3 + 3);
    right(cells, row, rate, perUs, nowUs, units);
  },
};
