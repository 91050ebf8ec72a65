import type { Mutant } from "../../../src/mutants/mutant.ts";
import { DEBT } from "../../../src/store/cell-budgets.ts";

export const mutant: Mutant<typeof DEBT.writeRefused> = {
  about: "a bucket pays for what it refuses too",
  breaks: ["LIM-C1", "ALG-C9"],
  replaces: "store/cell-budgets.ts#DEBT.writeRefused",
  by: () => (one, atUs, reply) => DEBT.spend(one, 0, atUs, reply),
};
