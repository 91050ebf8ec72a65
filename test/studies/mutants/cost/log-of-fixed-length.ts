import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { sizeOf } from "#src/limiter/store/memory.ts";

export const mutant: Mutant<typeof sizeOf> = {
  about: "a log is as long as its rate, whatever comes",
  breaks: ["ALG-5"],
  replaces: "limiter/store/memory.ts#sizeOf",
  by: (right, store) => {
    const { budgets } = right(store);
    return { budgets, entries: budgets };
  },
};
