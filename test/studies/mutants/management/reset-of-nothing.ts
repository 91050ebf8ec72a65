import type { resetBudgets } from "#src/gateway/key-budgets.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resetBudgets> = {
  about: "a reset says that it has been, and gives nothing back",
  breaks: ["MGT-C11"],
  replaces: "gateway/key-budgets.ts#resetBudgets",
  by: function* (right, gateway, credential, name) {
    const steps = right(gateway, credential, name);
    let next = steps.next();
    while (next.done !== true) {
      const op = next.value;
      const operation =
        op.op === "reset" ? { ...op, op: "take", levels: [op.level], intent: "evaluate" } : op;
      next = steps.next(yield operation as typeof op);
    }
    return next.value;
  },
};
