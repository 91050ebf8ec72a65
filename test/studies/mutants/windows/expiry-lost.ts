import { COUNTER_WIDTH, type writeCount } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof writeCount> = {
  about:
    "count and expiry are two steps, and of two requests at one instant neither sets the expiry: the window never ends",
  breaks: ["ALG-8", "ALG-C3"],
  found: "spring-cloud-zuul-ratelimit 121",
  replaces: "limiter/algorithms/fixed-window/rule.ts#writeCount",
  by: (right, cells, row, perUs, nowUs, startsAtClock, count) => {
    const isSecond = cells[row * COUNTER_WIDTH] === nowUs;
    right(cells, row, perUs, nowUs, startsAtClock, count);
    if (isSecond) cells[row * COUNTER_WIDTH] = Number.POSITIVE_INFINITY;
    return cells[row * COUNTER_WIDTH]! + perUs;
  },
};
