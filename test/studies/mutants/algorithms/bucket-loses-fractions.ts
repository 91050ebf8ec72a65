import { DEBT_WIDTH, type spend } from "#src/limiter/algorithms/token-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof spend> = {
  about: "a bucket gains whole requests only and forgets the time that makes a part of one",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/token-bucket/rule.ts#spend",
  by: (_right, cells, row, rate, perUs, nowUs) => {
    const at = row * DEBT_WIDTH;
    const gained = Math.floor((Math.max(0, nowUs - cells[at + 1]!) * rate) / perUs);
    cells[at] = Math.max(0, cells[at]! - gained * perUs) + perUs;
    cells[at + 1] = nowUs;
  },
};
