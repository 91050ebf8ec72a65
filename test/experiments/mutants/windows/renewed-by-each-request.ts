import { COUNTER_WIDTH, type spend } from "../../../../src/algorithms/fixed-window/rule.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof spend> = {
  about: "each counted request begins the window anew, as an expiry does that is set every time",
  breaks: ["ALG-8", "ALG-C3"],
  replaces: "algorithms/fixed-window/rule.ts#spend",
  by: (right) => (cells, row, perUs, nowUs, startsAtClock, units) => {
    const count = right(cells, row, perUs, nowUs, startsAtClock, units);
    cells[row * COUNTER_WIDTH] = nowUs;
    return count;
  },
};
