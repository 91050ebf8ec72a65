import type { readBudgets } from "#src/gateway/key-budgets.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readBudgets> = {
  about: "whoever looks at a budget spends of it",
  breaks: ["MGT-C11"],
  replaces: "gateway/key-budgets.ts#readBudgets",
  by: function* (right, gateway, credential) {
    const steps = right(gateway, credential);
    let next = steps.next();
    while (next.done !== true) {
      const op = next.value;
      next = steps.next(yield op.op === "take" ? { ...op, intent: "spend" } : op);
    }
    return next.value;
  },
};
