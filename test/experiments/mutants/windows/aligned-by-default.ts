import type { spend } from "../../../../src/algorithms/fixed-window/rule.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof spend> = {
  about: "windows are those of the clock, whatever is configured",
  breaks: ["ALG-C3"],
  replaces: "algorithms/fixed-window/rule.ts#spend",
  by: (right) => (cells, row, perUs, nowUs, _, units) =>
    right(cells, row, perUs, nowUs, true, units),
};
