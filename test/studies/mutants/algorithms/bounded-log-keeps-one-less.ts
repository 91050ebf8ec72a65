import type { trim } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof trim> = {
  about: "the bounded log keeps one attempt less than it has to compare",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/sliding-log/stamps.ts#trim",
  by: (right, rows, row, most) => right(rows, row, Math.max(0, most - 1)),
};
