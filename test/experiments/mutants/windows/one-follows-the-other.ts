import { COUNTER_WIDTH, type spend } from "../../../../src/algorithms/fixed-window/rule.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof spend> = {
  about: "a window begins where the one before has ended, and not with the next request",
  breaks: ["ALG-C3"],
  replaces: "algorithms/fixed-window/rule.ts#spend",
  by: (right) => (cells, row, perUs, nowUs, startsAtClock, units) => {
    const startUs = cells[row * COUNTER_WIDTH]!;
    const count = right(cells, row, perUs, nowUs, startsAtClock, units);
    if (startUs > 0) cells[row * COUNTER_WIDTH] = nowUs - ((nowUs - startUs) % perUs);
    return count;
  },
};
