import type { prune } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof prune> = {
  about: "a log keeps attempts that have left its window",
  breaks: ["ALG-5", "ALG-C2"],
  replaces: "limiter/algorithms/sliding-log/stamps.ts#prune",
  by: () => {},
};
