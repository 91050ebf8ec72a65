import { COUNTER_WIDTH, type spend } from "../../../../src/algorithms/fixed-window/rule.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof spend> = {
  about:
    "count and expiry are two steps, and of two requests at one instant neither sets the expiry: the window never ends",
  breaks: ["ALG-8", "ALG-C3"],
  found: "spring-cloud-zuul-ratelimit 121",
  replaces: "algorithms/fixed-window/rule.ts#spend",
  by: (right) => (cells, row, perUs, nowUs, startsAtClock, units) => {
    const isSecond = cells[row * COUNTER_WIDTH] === nowUs;
    const count = right(cells, row, perUs, nowUs, startsAtClock, units);
    if (isSecond) cells[row * COUNTER_WIDTH] = Number.POSITIVE_INFINITY;
    return count;
  },
};
