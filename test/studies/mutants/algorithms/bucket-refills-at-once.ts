import { DEBT_WIDTH, type wait } from "#src/limiter/algorithms/token-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "a bucket is filled once in a window, instead of bit by bit",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/token-bucket/rule.ts#wait",
  by: (right, cells, row, rate, burst, perUs, nowUs) => {
    const writtenUs = cells[row * DEBT_WIDTH + 1]!;
    const sinceUs = Math.max(0, nowUs - writtenUs);
    return right(cells, row, rate, burst, perUs, nowUs - (sinceUs % perUs));
  },
};
