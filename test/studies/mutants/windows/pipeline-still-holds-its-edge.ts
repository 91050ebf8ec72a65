import type { prune } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof prune> = {
  about:
    "what is pruned is older than one window, so an attempt of exactly one window is still counted",
  breaks: ["ALG-C2", "ALG-C6"],
  replaces: "limiter/algorithms/sliding-log/stamps.ts#prune",
  by: (right, rows, row, upToUs) => right(rows, row, upToUs - 1),
};
