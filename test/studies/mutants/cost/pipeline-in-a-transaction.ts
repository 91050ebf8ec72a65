import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { billOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof billOf> = {
  about: "the commands of the pipeline stand between MULTI and EXEC",
  breaks: ["ALG-7", "ALG-11"],
  replaces: "lab/sim/cost.ts#billOf",
  by: (right, levels, options, fate) => {
    const bill = right(levels, options, fate);
    const isPiped = levels.some(({ algorithm }) => algorithm === "non_transactional");
    return isPiped ? { ...bill, before: bill.before + 2 } : bill;
  },
};
