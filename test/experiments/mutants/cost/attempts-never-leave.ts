import type { prune } from "../../../../src/core/algorithm/stamps.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof prune> = {
  about: "a log keeps attempts that have left its window",
  breaks: ["ALG-5", "ALG-C2"],
  replaces: "core/algorithm/stamps.ts#prune",
  by: () => () => {},
};
