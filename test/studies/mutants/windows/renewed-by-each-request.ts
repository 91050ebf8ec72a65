import { COUNTER_WIDTH, type writeCount } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof writeCount> = {
  about: "each counted request begins the window anew, as an expiry does that is set every time",
  breaks: ["ALG-8", "ALG-C3"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#writeCount",
  by: (right, cells, row, perUs, nowUs, startsAtClock, count) => {
    right(cells, row, perUs, nowUs, startsAtClock, count);
    cells[row * COUNTER_WIDTH] = nowUs;
    return cells[row * COUNTER_WIDTH]! + perUs;
  },
};
