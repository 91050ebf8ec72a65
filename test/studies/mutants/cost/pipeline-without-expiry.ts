import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { billOf } from "#src/lab/sim/cost.ts";

export const mutant: Mutant<typeof billOf> = {
  about: "the pipeline leaves the expiry out, so that idle logs stay",
  breaks: ["ALG-7", "ALG-C6"],
  replaces: "lab/sim/cost.ts#billOf",
  by: (right, levels, options, fate) => {
    const bill = right(levels, options, fate);
    const isPiped = levels.some(({ algorithm }) => algorithm === "non_transactional");
    return isPiped ? { ...bill, before: bill.before - 1 } : bill;
  },
};
