import { endUs, type wait } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "a window is still closed at the instant at which it ends",
  breaks: ["ALG-C3"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#wait",
  by: (right, cells, row, capacity, perUs, nowUs) => {
    const isAtEnd = nowUs === endUs(cells, row, perUs);
    return right(cells, row, capacity, perUs, isAtEnd ? nowUs - 1 : nowUs);
  },
};
