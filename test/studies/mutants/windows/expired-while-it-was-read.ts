import { endUs, type wait } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about:
    "a window that has ended a moment ago has no time left and a count all the same, and so refuses",
  breaks: ["ALG-C3", "LIM-1"],
  found: "apisix 5588",
  replaces: "limiter/algorithms/fixed-window/rule.ts#wait",
  by: (right, cells, row, capacity, perUs, nowUs) => {
    const agoUs = nowUs - endUs(cells, row, perUs);
    return agoUs >= 0 && agoUs < 1_000 ? 1_000 - agoUs : right(cells, row, capacity, perUs, nowUs);
  },
};
