import type { writeCount } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof writeCount> = {
  about: "windows shorter than a second that follow the clock begin with its seconds",
  breaks: ["ALG-C3"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#writeCount",
  by: (right, cells, row, perUs, nowUs, startsAtClock, count) => {
    const before = cells[row * 2];
    right(cells, row, perUs, nowUs, startsAtClock, count);
    if (startsAtClock && perUs < 1_000_000 && cells[row * 2] !== before)
      cells[row * 2] = nowUs - (nowUs % 1_000_000);
    return cells[row * 2]! + perUs;
  },
};
