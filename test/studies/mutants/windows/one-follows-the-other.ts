import { COUNTER_WIDTH, type writeCount } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof writeCount> = {
  about: "a window begins where the one before has ended, and not with the next request",
  breaks: ["ALG-C3"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#writeCount",
  by: (right, cells, row, perUs, nowUs, startsAtClock, count) => {
    const startUs = cells[row * COUNTER_WIDTH]!;
    right(cells, row, perUs, nowUs, startsAtClock, count);
    if (startUs > 0) cells[row * COUNTER_WIDTH] = nowUs - ((nowUs - startUs) % perUs);
    return cells[row * COUNTER_WIDTH]! + perUs;
  },
};
