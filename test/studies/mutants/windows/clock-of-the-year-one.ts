import { COUNTER_WIDTH, type writeCount } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

const SINCE_YEAR_ONE_US = 62_135_596_800_000_000;

export const mutant: Mutant<typeof writeCount> = {
  about: "windows of the clock are counted from the year 1 and not from 1970",
  breaks: ["ALG-C3"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#writeCount",
  by: (right, cells, row, perUs, nowUs, startsAtClock, count) => {
    const opens = startsAtClock && nowUs >= cells[row * COUNTER_WIDTH]! + perUs;
    right(cells, row, perUs, nowUs, startsAtClock, count);
    if (opens) cells[row * COUNTER_WIDTH] = nowUs - ((nowUs + SINCE_YEAR_ONE_US) % perUs);
    return cells[row * COUNTER_WIDTH]! + perUs;
  },
};
